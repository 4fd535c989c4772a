import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from '../../runtime/cli/command.ts';
import { COMMANDS } from '../../runtime/cli/dispatch.ts';
import { parseFlags } from '../../runtime/cli/flags.ts';

const repository = resolve(import.meta.dirname, '../..');
const FOLDERS: Record<string, string> = {
  'eslint-plugin-owned-spawn': 'rules',
  'owned-spawn-codemods': 'codemods',
  'owned-spawn': 'runtime',
};

describe('the commands explain themselves', () => {
  const page = readFileSync(join(repository, 'docs/cli.md'), 'utf8');
  for (const [name, owner] of Object.entries(COMMANDS)) {
    it(`${name}: examples that its flags take, and a row of exit codes`, async () => {
      const module = join(repository, FOLDERS[owner] ?? '', 'commands', `${name}.ts`);
      const { command } = (await import(module)) as { command: Command };
      assert.equal(command.name, name);
      assert.ok(command.examples.length > 0);
      for (const [example] of command.examples) {
        const [, argv = ''] = /owned-spawn ([^>|)]*)/.exec(example) ?? [];
        const [called, ...rest] = argv.trim().split(/\s+/);
        assert.equal(called, name, example);
        assert.doesNotThrow(() => parseFlags(command.flags, rest), example);
      }
      assert.match(page, new RegExp(`^\\| \\[?\`${name}[ \`].*\\| \`${owner}\` +\\|`, 'm'));
    });
  }
});
