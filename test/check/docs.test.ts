import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { command as check } from '../../rules/commands/check.ts';
import { command as init } from '../../rules/commands/init.ts';

for (const command of [check, init]) {
  describe(`docs/${command.name}.md`, () => {
    it('names every flag', () => {
      const page = readFileSync(join(import.meta.dirname, `../../docs/${command.name}.md`), 'utf8');
      const named = [...page.matchAll(/^\| (?:`-\w`, )?`--([\w-]+)/gm)].map(([, name]) => name);
      assert.deepEqual(named.sort(), Object.keys(command.flags).sort());
    });
  });
}
