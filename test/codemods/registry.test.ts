import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { RECIPES } from '../../codemods/recipes/recipes.ts';
import { Project } from './project.ts';

const root = join(import.meta.dirname, '../../codemods/registry');
const packaged = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as { version: string };

interface Workflow {
  nodes: { steps: { run: string }[] }[];
}

const read = (folder: string, name: string): unknown =>
  parse(readFileSync(join(root, folder, name), 'utf8')) as unknown;

for (const folder of readdirSync(root)) {
  describe(`the registry's folder ${folder}`, () => {
    it('has the manifest of this version and a README', () => {
      const manifest = read(folder, 'codemod.yaml') as Record<string, string>;
      assert.equal(manifest.version, packaged.version);
      assert.equal(manifest.name, `owned-spawn/${folder}`);
      assert.ok(RECIPES.some(({ name }) => name === folder));
      assert.match(readFileSync(join(root, folder, 'README.md'), 'utf8'), new RegExp(`^# ${folder}\n`));
    });

    const [step] = (read(folder, 'workflow.yaml') as Workflow).nodes[0]?.steps ?? [];
    const args = step?.run.split(' owned-spawn migrate ')[1]?.split(' ') ?? [];
    const tests = join(root, folder, 'tests');
    for (const name of readdirSync(tests)) {
      it(`does what ${name} expects`, async () => {
        using project = new Project();
        cpSync(join(tests, name, 'input'), project.folder, { recursive: true });
        const { code, stderr } = await project.migrate(...args);
        assert.equal(code, 0, stderr);
        for (const file of readdirSync(join(tests, name, 'input'))) {
          const expected = join(tests, name, 'expected', file);
          if (process.env.UPDATE_FIXTURES) writeFileSync(expected, project.read(file));
          assert.equal(project.read(file), readFileSync(expected, 'utf8'), file);
        }
      });
    }
  });
}
