import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { LoopContext } from '../../rules/check/contexts.ts';
import { CheckProject } from '../helpers/check-project.ts';

let project: CheckProject;
beforeEach(() => {
  project = new CheckProject({
    'package.json': '{ "name": "app", "main": "index.js", "bin": "run.js" }',
    'index.js': 'export const x = 1;\n',
    'run.js': 'console.log(1);\n',
    'image.worker.js': 'export const x = 1;\n',
    'test/index.test.js': 'export const x = 1;\n',
    'broken.js': 'export const = ;\n',
  });
});
afterEach(() => {
  project[Symbol.dispose]();
});

const run = (...argv: string[]) => project.check(['--print-context', ...argv]);

const contexts = async (): Promise<LoopContext[]> =>
  JSON.parse((await run('--format', 'json')).out) as LoopContext[];

const offFiles = ({ offFiles: groups }: LoopContext): string[] =>
  groups.flatMap(({ setting, files }) => files.map((file) => `${setting} ${file}`)).sort();

describe('check --print-context', () => {
  it('lists the files off the loop, by the settings that say so', async () => {
    const [only, ...others] = await contexts();
    assert.deepEqual(others, []);
    assert.equal(only?.files, 5);
    assert.deepEqual(offFiles(only), [
      'commands run.js',
      'offFiles test/index.test.js',
      'workers image.worker.js',
    ]);
  });

  it('tells people what is on and off', async () => {
    const { code, out } = await run();
    assert.equal(code, 0);
    assert.match(out, /^Off the event loop, .* for 5 files:\n/);
    assert.match(out, /^ {2}workers +on /m);
    assert.match(out, /^ {2}commandFiles +off /m);
    assert.match(out, /^1 × a worker \(workers\):\n {2}image\.worker\.js$/m);
  });

  it('obeys the settings of a config, and lists their rows', async () => {
    project.lay({
      'eslint.config.mjs': `// owned-spawn
export default [{
  files: ['**/*.js'],
  settings: { 'owned-spawn': { context: { workers: false }, offLoop: [{ module: './pool', path: 'run' }] } },
}];
`,
    });
    const its = (await contexts()).find(({ context }) => !context.workers);
    assert.deepEqual(its && offFiles(its), ['commands run.js', 'offFiles test/index.test.js']);
    assert.deepEqual(its?.offLoop, [{ module: './pool', path: 'run' }]);
    assert.match((await run()).out, /^ {2}\.\/pool run +off the loop +runs what it is given off the loop$/m);
  });

  for (const argv of [
    ['--baseline', 'b.json'],
    ['--explain', 'index.js:1'],
    ['--format', 'junit'],
  ]) {
    it(`does not go with ${argv[0] ?? ''} ${argv[1] ?? ''}`, async () => {
      await assert.rejects(run(...argv), { name: 'UserError' });
    });
  }
});
