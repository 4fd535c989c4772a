import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Linter } from 'eslint';
import { processTable, SettingsError, type SpawnSettings } from '../../rules/apis/tables.ts';
import plugin from '../../rules/index.ts';

const CODE = `
import { spawn } from 'node:child_process';
import { execa } from 'execa';
class Host {
  start() {
    return spawn('a', [], { detached: true });
  }
}
function open() {
  execa('b', [], { detached: true });
}
`;

/** The lines of the two calls. */
const [SPAWN, EXECA] = [6, 10];

const reason = 'daemons are shared by all sessions';

const cases: [text: string, group: NonNullable<SpawnSettings['allow']>[number], left: number[]][] = [
  ['a file', { from: 'file', path: 'src/host.ts', reason }, []],
  ['files by a glob', { from: 'file', path: './src/**', reason }, []],
  ['files of a folder', { from: 'file', path: 'src/', reason }, []],
  ['files by a glob within a folder', { from: 'file', path: 's*c/*.ts', reason }, []],
  ['a function of a file', { from: 'file', path: 'src/host.ts', name: 'Host.start', reason }, [EXECA]],
  ['another file', { from: 'file', path: 'src/hosts', reason }, [SPAWN, EXECA]],
  ['a file by half its name', { from: 'file', path: 'ost.ts', reason }, [SPAWN, EXECA]],
  ['a glob that stays in its folder', { from: 'file', path: 'app/*', reason }, [SPAWN, EXECA]],
  ['a package', { from: 'package', package: 'execa', reason }, [SPAWN]],
  ['a module of Node', { from: 'package', package: 'node:child_process', reason }, [EXECA]],
  ['a package of another name', { from: 'package', package: 'exec', reason }, [SPAWN, EXECA]],
  [
    'an export of a package',
    { from: 'package', package: 'child_process', name: 'fork', reason },
    [SPAWN, EXECA],
  ],
  ['what is called', { from: 'name', name: 'execa', reason }, [SPAWN]],
  ['the function around', { from: 'name', name: 'open', reason }, [SPAWN]],
  ['the method around', { from: 'name', name: 'start', reason }, [EXECA]],
  ['the whole scope', { from: 'name', name: 'Host.start', reason }, [EXECA]],
  ['half a name', { from: 'name', name: 'tart', reason }, [SPAWN, EXECA]],
  ['starts of processes', { from: 'file', path: 'src/host.ts', kind: 'detached-spawn', reason }, []],
  [
    'blocking calls only',
    { from: 'file', path: 'src/host.ts', kind: 'blocking-call', reason },
    [SPAWN, EXECA],
  ],
];

const LOOP = `
import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
function load() {
  return readFileSync('a');
}
export async function handle() {
  load();
  writeFileSync('b', 'c');
  new Database('d').exec('vacuum');
}
`;

/** The lines of the reports: through `load`, of the write, of the database (opened, and used). */
const [LOAD, WRITE, DATABASE] = [8, 9, [10, 10]];

const loopCases: [text: string, group: NonNullable<SpawnSettings['allow']>[number], left: number[]][] = [
  ['a file', { from: 'file', path: 'src/**', reason }, []],
  ['another file', { from: 'file', path: 'lib/**', reason }, [LOAD, WRITE, ...DATABASE]],
  ['a module of Node', { from: 'package', package: 'fs', reason }, DATABASE],
  ['a package', { from: 'package', package: 'better-sqlite3', reason }, [LOAD, WRITE]],
  ['what is called', { from: 'name', name: 'writeFileSync', reason }, [LOAD, ...DATABASE]],
  ['the function on the way', { from: 'name', name: 'load', reason }, [WRITE, ...DATABASE]],
  ['the function around', { from: 'name', name: 'handle', reason }, []],
  [
    'starts of processes only',
    { from: 'file', path: 'src/**', kind: 'detached-spawn', reason },
    [LOAD, WRITE, ...DATABASE],
  ],
];

describe('the blocking rules with groups that share a reason', () => {
  for (const [name, group, left] of loopCases) {
    it(`are silent for ${name}`, () => {
      const config: Linter.Config = {
        files: ['**/*.ts'],
        plugins: { 'owned-spawn': plugin },
        rules: { 'owned-spawn/no-blocking-call': 'error', 'owned-spawn/no-blocking-sqlite': 'error' },
        settings: { 'owned-spawn': { allow: [group] } },
      };
      const messages = new Linter().verify(LOOP, config, { filename: 'src/host.ts' });
      assert.deepEqual(
        messages.map(({ line }) => line),
        left,
      );
    });
  }
});

describe('no-detached-spawn with groups that share a reason', () => {
  for (const [name, group, left] of cases) {
    it(`is silent for ${name}`, () => {
      const config: Linter.Config = {
        files: ['**/*.ts'],
        plugins: { 'owned-spawn': plugin },
        rules: { 'owned-spawn/no-detached-spawn': 'error' },
        settings: { 'owned-spawn': { allow: [group] } },
      };
      const messages = new Linter().verify(CODE, config, { filename: 'src/host.ts' });
      assert.deepEqual(
        messages.map(({ line }) => line),
        left,
      );
    });
  }
});

describe('groups in the settings', () => {
  const wrong: [allow: unknown, message: string][] = [
    [{}, ' must be a list.'],
    [['x'], '[0] must be an object.'],
    [[{ from: 'glob', reason }], '[0].from must be one of file, package, name.'],
    [[{ from: 'file', reason }], "[0].path must be a glob of files, such as 'src/daemons/**'."],
    [[{ from: 'package', name: 'x', reason }], "[0].package must be a package's name, such as 'execa'."],
    [
      [{ from: 'name', name: ['x'], reason }],
      "[0].name must be the name of what is called or of the function around it, such as 'startDaemon'.",
    ],
    [
      [{ from: 'name', name: 'x', path: 'y', reason }],
      '[0].path is not known; known are from, name, kind, reason, until, ref.',
    ],
    [[{ from: 'file', path: 'x', name: 1, reason }], '[0].name must be a text.'],
    [
      [{ from: 'name', name: 'x' }],
      '[0].reason must say in at least 3 words why these outlive their owner, or why they may block.',
    ],
    [
      [{ from: 'name', name: 'x', reason: 'TODO say why here' }],
      '[0].reason must say in at least 3 words why these outlive their owner, or why they may block; "TODO say why here" does not.',
    ],
    [
      [
        { from: 'name', name: 'x', reason },
        { from: 'name', name: 'y', reason: 'two words' },
      ],
      '[1].reason must say in at least 3 words why these outlive their owner, or why they may block; "two words" does not.',
    ],
    [[{ from: 'name', name: 'x', reason, until: 'May' }], '[0].until must be a date, as YYYY-MM-DD.'],
  ];
  for (const [allow, message] of wrong) {
    it(`are refused: ${JSON.stringify(allow)}`, () => {
      assert.throws(
        () => processTable({ allow }),
        (error) =>
          error instanceof SettingsError && error.message === `settings['owned-spawn'].allow${message}`,
      );
    });
  }

  it('may have a date and a reference', () => {
    processTable({ allow: [{ from: 'name', name: 'x', reason, until: '2030-12-31', ref: '#12' }] });
  });
});
