import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ExplainedCall } from '../../rules/check/explain-site.ts';
import { CheckProject } from '../helpers/check-project.ts';

let project: CheckProject;
beforeEach(() => {
  project = new CheckProject(FILES);
});
afterEach(() => {
  project[Symbol.dispose]();
});

const FILES = {
  'git.ts': `import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
export const rootOf = (folder: string) => execFileSync('git', ['-C', folder]);
// blocking-call: ok — the file is small and read once
export const config = () => readFileSync('config.json');
const atTop = readFileSync('top');
process.on('exit', () => readFileSync('exit'));
export async function probe() { return existsSync('probe'); }
export async function unknown() { parseSync('x'); spawnSync('vi', [], { stdio: 'inherit' }); }
export function unused() { return readFileSync('unused'); }
let kept: string | undefined;
export async function once() { return (kept ??= readFileSync('kept', 'utf8')); }
export async function excused() { return config(); }

export async function quiet() {
  // eslint-disable-next-line owned-spawn/no-blocking-call -- the file is on a RAM disk
  return readFileSync('quiet');
}
export async function quietWithoutReason() {
  return readFileSync('quiet'); // eslint-disable-line
}
// blocking-call: ok — a tool that one person waits for
export function marked() { return readFileSync('marked'); }
export async function callsMarked() { return marked(); }
`,
  'session.ts': `import { rootOf } from './git';
export class Session {
  root() { return rootOf('.'); }
}
`,
  'server.ts': `import express from 'express';
import { rootOf } from './git';
import { Session } from './session';
export async function open() {
  return new Session().root();
}
express().get('/', (req, res) => res.send(rootOf('.')));
`,
  'test/git.test.ts': `import { readFileSync } from 'node:fs';
export async function load() { return readFileSync('x'); }
`,
};

const run = (...argv: string[]) => project.check(argv);

async function explain(place: string): Promise<ExplainedCall[]> {
  const { out } = await run('--explain', place, '--format', 'json');
  return JSON.parse(out) as ExplainedCall[];
}

const stepsOf = ({ ways }: ExplainedCall): string[] =>
  ways.map(({ functions: [first], steps }) =>
    [first?.name, ...steps.map(({ name, file, line }) => `${name} ${file}:${String(line)}`)].join(' > '),
  );

describe('check --explain', () => {
  it('tells every way to a blocking call, and why its code is on the loop', async () => {
    const { code, out } = await run('--explain', 'git.ts:3');
    assert.equal(code, 0);
    assert.equal(
      out,
      `git.ts:3:43  execFileSync (child_process.execFileSync) is reported

  Way 1, from request handler (server.ts:7). It is a request handler: it is given to \`express().get\` in line 7, by the row \`express App#.get\`.
    rootOf        server.ts:7:43
    execFileSync  git.ts:3:43     in rootOf, which runs where it is called

  Way 2, from open (server.ts:4). It is async, and so runs on the event loop, whoever awaits it.
    root          server.ts:5:24
    rootOf        session.ts:3:19  in Session.root, which runs where it is called
    execFileSync  git.ts:3:43      in rootOf, which runs where it is called
`,
    );
  });

  it('gives the ways as data, and of a call those that go through it', async () => {
    const [call] = await explain('session.ts:3');
    assert.ok(call);
    assert.equal(call.isReported, true);
    assert.deepEqual(stepsOf(call), [
      'open > root server.ts:5 > rootOf session.ts:3 > execFileSync git.ts:3',
    ]);
  });

  const silent: Record<string, [place: string, why: RegExp]> = {
    'what a marker excuses': [
      'git.ts:5',
      /^A marker in git\.ts:4 excuses it: "the file is small and read once"\.$/,
    ],
    'functions that a marker excuses': [
      'git.ts:23',
      /^A marker in git\.ts:22 excuses the function around it: "a tool that one person waits for"\.$/,
    ],
    'the top level': ['git.ts:6', /^It stands at the top level/],
    'exit handlers': ['git.ts:7', /^It runs in an exit handler.*context\.exits/],
    'probes, by the option': ['git.ts:8', /option `probes`/],
    'what nobody on the loop calls': ['git.ts:10', /^No function on the event loop is seen to call/],
    'what runs once': ['git.ts:12', /^It runs once.*context\.once/],
    'calls of what a marker excuses': ['git.ts:13', /^A marker in git\.ts:4 excuses it/],
    tests: ['test/git.test.ts:2', /^The file is off the loop: a test.*context\.offFiles/],
  };
  for (const [what, [place, why]] of Object.entries(silent)) {
    it(`says why it is silent about ${what}`, async () => {
      const [call, ...others] = await explain(place);
      assert.deepEqual(others, []);
      assert.equal(call?.isReported, false);
      assert.match(call.why.join('\n'), why);
    });
  }

  it('says which directive silences a call, and that one without a reason does not', async () => {
    const [quiet] = await explain('git.ts:17');
    assert.equal(quiet?.isReported, false);
    assert.equal(
      quiet.ways[0]?.silence,
      '`eslint-disable-next-line` in git.ts:16 silences it: "the file is on a RAM disk".',
    );
    const [other] = await explain('git.ts:20');
    assert.equal(other?.isReported, true);
    assert.match(other.ways[0]?.silence ?? '', /^`eslint-disable-line` in git\.ts:20 .* gives no reason/);
  });

  it('looks for directives where a way is reported, by the rule that reports it', async () => {
    project.lay({
      'server.ts': `import { rootOf } from './git';
/* eslint-disable owned-spawn/no-blocking-call-path -- one request a day */
export async function first() { return rootOf('.'); }
/* eslint-enable owned-spawn/no-blocking-call-path */
/* eslint-disable owned-spawn/no-blocking-call -- not the rule that reports it */
export async function second() { return rootOf('.'); }
`,
      'session.ts': '',
    });
    const [call] = await explain('git.ts:3');
    assert.equal(call?.isReported, true);
    assert.deepEqual(
      call.ways.map(({ silence }) => silence),
      ['`eslint-disable` in server.ts:2 silences it: "one request a day".', null],
    );
    const { out } = await run('--explain', 'server.ts:3');
    assert.match(out, /is not reported[^]*\n {4}`eslint-disable` in server\.ts:2 silences it/);
  });

  it('says why it is silent about calls that no row knows, and that are handed the terminal', async () => {
    const calls = await explain('git.ts:9');
    assert.deepEqual(
      calls.map(({ name, callee, isReported }) => ({ name, callee, isReported })),
      [
        { name: 'parseSync', callee: null, isReported: false },
        { name: 'spawnSync', callee: null, isReported: false },
      ],
    );
    assert.match(calls[0]?.why[0] ?? '', /^No row of the table/);
    assert.match(calls[1]?.why[0] ?? '', /handed the terminal.*context\.terminals/);
  });

  it('obeys the options and settings of a config', async () => {
    project.lay({
      'eslint.config.mjs': `// owned-spawn
import plugin from ${JSON.stringify(join(import.meta.dirname, '../../rules/index.ts'))};
export default [{
  files: ['**/*.ts'],
  plugins: { mine: plugin },
  rules: { 'mine/no-blocking-call': 'off', 'mine/no-blocking-call-path': ['warn', { probes: true }] },
  settings: {
    'owned-spawn': {
      context: { exits: false },
      allow: [{ from: 'name', name: 'unused', reason: 'it is there for the tests only' }],
    },
  },
}];
`,
    });
    assert.equal((await explain('git.ts:3'))[0]?.isReported, true);
    assert.deepEqual((await explain('git.ts:8'))[0]?.why, []);
    assert.deepEqual(
      (await explain('git.ts:8'))[0]?.ways.map(({ silence }) => silence),
      ['The ESLint config has `no-blocking-call` off in git.ts.'],
    );
    assert.deepEqual((await explain('git.ts:10'))[0]?.why, [
      'A group of settings[\'owned-spawn\'].allow excuses it: "it is there for the tests only".',
    ]);
    assert.doesNotMatch((await explain('git.ts:7'))[0]?.why.join('\n') ?? '', /exit handler/);
  });

  it('exits with 1 where a line has nothing to explain', async () => {
    const { code, out, err } = await run('--explain', 'git.ts:1');
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /^No blocking call is in git\.ts:1/);
    assert.match(err, /\nThe nearest is `execFileSync` in git\.ts:3\.\n$/);
  });

  it('says of a line without a call which call nearest leads to one that blocks', async () => {
    const { code, err } = await run('--explain', 'server.ts:4');
    assert.equal(code, 1);
    assert.match(err, /\nThe nearest is `root` in server\.ts:5\.\n$/);
  });

  it('knows no nearest call where a file has none that blocks', async () => {
    project.lay({ 'empty.ts': 'export {};\n' });
    const { err } = await run('--explain', 'empty.ts:1');
    assert.doesNotMatch(err, /nearest/);
  });

  for (const [what, place, message] of [
    ['a file that is not there', 'nope.ts:1', /nope\.ts is not a file/],
    ['a place without a line', 'git.ts', /--explain takes a file and a line/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(run('--explain', place), { name: 'UserError', message });
    });
  }

  it('refuses formats of findings', async () => {
    await assert.rejects(run('--explain', 'git.ts:3', '--format', 'sarif'), { name: 'UserError' });
  });
});
