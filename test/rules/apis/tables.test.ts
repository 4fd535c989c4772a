import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { processTable, SettingsError } from '../../../rules/apis/tables.ts';
import { parseModule } from '../../../rules/read/module-view.ts';
import { findSpawns } from '../../../rules/read/spawns.ts';

const verdicts = (code: string, settings: object, filename = '/app/src/a.ts') =>
  findSpawns(parseModule(code, filename), settings).map(({ verdict, form }) => `${verdict.is} ${form}`);

describe("the user's rows", () => {
  it('name a package', () => {
    const settings = { apis: [{ module: 'our-spawn', path: 'start' }] };
    const code = `import { start } from 'our-spawn'; start('a', { detached: true });`;
    assert.deepEqual(verdicts(code, settings), ['yes option']);
    assert.deepEqual(verdicts(code, {}), []);
  });

  it('name a file of the project by the end of its path', () => {
    const settings = { apis: [{ module: './lib/launch', keys: ['background'], options: 0 }] };
    const code = `import launch from '../lib/launch.js'; launch({ background: true });`;
    assert.deepEqual(verdicts(code, settings), ['yes option']);
    assert.deepEqual(verdicts(code.replace('../lib', '../bin'), settings), []);
  });

  it('name functions that read a command line', () => {
    const settings = { apis: [{ module: 'sh', command: 'line' }] };
    assert.deepEqual(verdicts(`import sh from 'sh'; sh('a &');`, settings), ['yes shell']);
  });

  it('turn on what is off by default', () => {
    const code = `import open from 'open'; open('a');`;
    assert.deepEqual(verdicts(code, {}), []);
    assert.deepEqual(verdicts(code, { enable: ['open'] }), ['yes option']);
  });
});

describe('settings that are wrong', () => {
  const wrong: [settings: unknown, message: string][] = [
    ['all', `settings['owned-spawn'] must be an object.`],
    [
      { api: [] },
      `settings['owned-spawn'].api is not known; known are apis, enable, allow, blocking, handlers, offLoop, context.`,
    ],
    [{ apis: {} }, `settings['owned-spawn'].apis must be a list.`],
    [{ apis: ['a'] }, `settings['owned-spawn'].apis[0] must be an object.`],
    [
      { apis: [{ path: 'a' }] },
      `settings['owned-spawn'].apis[0].module must be a module specifier, such as 'child_process' or './lib/launch'.`,
    ],
    [
      { apis: [{ module: 'a', pth: 'b' }] },
      `settings['owned-spawn'].apis[0].pth is not known; known are module, path, kind, command, effect, keys, options.`,
    ],
    [
      { apis: [{ module: 'a', path: 1 }] },
      `settings['owned-spawn'].apis[0].path must be the name of an export, such as 'spawn'.`,
    ],
    [
      { apis: [{ module: 'a', kind: 'new' }] },
      `settings['owned-spawn'].apis[0].kind must be one of call, construct.`,
    ],
    [
      { apis: [{ module: 'a', effect: 'leaves' }] },
      `settings['owned-spawn'].apis[0].effect must be one of detaches, ignores, outlives.`,
    ],
    [
      { apis: [{ module: 'a', command: 'shell' }] },
      `settings['owned-spawn'].apis[0].command must be one of argv, module, line, shell-template, template, list.`,
    ],
    [
      { apis: [{ module: 'a', keys: [] }] },
      `settings['owned-spawn'].apis[0].keys must be a list of option names, such as ['detached'].`,
    ],
    [
      { apis: [{ module: 'a', options: -1 }] },
      `settings['owned-spawn'].apis[0].options must be the index of the options argument: 0, 1, 2 ….`,
    ],
    [
      { enable: ['child_process'] },
      `settings['owned-spawn'].enable[0] must be one of node-pty, @lydell/node-pty, @homebridge/node-pty-prebuilt-multiarch, open, opn, opener.`,
    ],
  ];
  for (const [settings, message] of wrong) {
    it(`are refused: ${JSON.stringify(settings)}`, () => {
      assert.throws(
        () => processTable(settings),
        (error) => error instanceof SettingsError && error.message === message,
      );
    });
  }
});
