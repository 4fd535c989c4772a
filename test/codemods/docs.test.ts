import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { command } from '../../codemods/commands/migrate.ts';
import { REASONS } from '../../codemods/recipes/reasons.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/migrate.md'), 'utf8');

describe('docs/migrate.md', () => {
  it('names every flag', () => {
    const named = [...page.matchAll(/^\| (?:`-\w`, )?`--([\w-]+)/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), Object.keys(command.flags).sort());
  });

  it('names every reason', () => {
    const table = page.slice(page.indexOf('## What is left'), page.indexOf('Three more'));
    const named = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
    assert.deepEqual([...named, 'marker', 'allow', 'eslint-disabled'].sort(), Object.keys(REASONS).sort());
  });
});
