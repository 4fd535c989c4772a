import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { command } from '../../rules/commands/check.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/check.md'), 'utf8');

describe('docs/check.md', () => {
  it('names every flag', () => {
    const named = [...page.matchAll(/^\| (?:`-\w`, )?`--([\w-]+)/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), Object.keys(command.flags).sort());
  });
});
