import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../codemods/plan/plan.ts';
import { Project } from './project.ts';

const OWNER = `import { spawn } from 'node:child_process';
export function start() {
  return spawn('server', [], { detached: true });
}
`;
const EXECA = `import { execa } from 'execa';
export function start() {
  const child = execa('server', [], { detached: true });
  return child;
}
`;

/** The replacement of something by a test of `src/owner.mjs`. */
const FAKES: Readonly<Record<string, string>> = {
  proxyquire: `const proxyquire = require('proxyquire');
const stub = sinon.stub();
const { start } = proxyquire('../src/owner', { child_process: { spawn: stub } });`,
  'proxyquire, a path in a constant': `const proxyquire = require('proxyquire').noCallThru();
const modulePath = '../src/owner.mjs';
const { start } = proxyquire(modulePath, { 'child_process': fakeModule });`,
  'jest.mock of all': `jest.mock('child_process');
import { start } from '../src/owner.mjs';`,
  'vi.mock with a factory': `vi.mock('node:child_process', () => ({ spawn: vi.fn() }));
import { start } from '../src/owner.mjs';`,
  'mock.module': `mock.module('node:child_process', { namedExports: { spawn: mock.fn() } });
const { start } = await import('../src/owner.mjs');`,
  'mock.method': `import cp from 'node:child_process';
import { start } from '../src/owner.mjs';
mock.method(cp, 'spawn', () => child);`,
  'sinon.stub': `const childProcess = require('child_process');
const { start } = require('../src/owner');
sinon.stub(childProcess, 'spawn').returns(child);`,
  'rewire, by its setter': `const owner = rewire('../src/owner');
owner.__set__('spawn', fake);`,
  esmock: `const { start } = await esmock('../src/owner.mjs', { child_process: { spawn: () => child } });`,
  'td.replaceEsm': `await td.replaceEsm('node:child_process');
const { start } = await import('../src/owner.mjs');`,
  'an assigned stub': `const cp = require('child_process');
const { start } = require('../src/owner');
cp.spawn = jest.fn();`,
};

/** What becomes of the only site. */
async function decided(files: Record<string, string>, ...args: string[]): Promise<string> {
  using project = new Project({ 'package.json': '{ "name": "app" }\n', ...files });
  const { code, stdout, stderr } = await project.migrate('--report', 'json', ...args);
  assert.equal(code, 0, stderr);
  const { files: plans } = JSON.parse(stdout) as Plan;
  const sites = Object.values(plans).flatMap(({ sites: its }) => its);
  return sites
    .map(({ status, reason, notes = [], short }) =>
      [status, reason, ...notes, /\(.*\)$/.exec(short ?? '')?.[0]].filter(Boolean).join(' '),
    )
    .join('\n');
}

describe('a start that a test of its file replaces is left, with the place', () => {
  for (const [name, test] of Object.entries(FAKES)) {
    it(name, async () => {
      const said = await decided({ 'src/owner.mjs': OWNER, 'test/owner-spec.js': test }, 'src');
      assert.match(said, /^left replaced-in-test \((?:\.\.\/)?test\/owner-spec\.js:\d+:\d+\)$/);
    });
  }

  it('execa, which would be handed to the runtime', async () => {
    const test = `vi.mock('execa', () => ({ execa: vi.fn() }));\nimport { start } from './owner.mjs';\n`;
    const said = await decided({ 'src/owner.mjs': EXECA, 'src/owner.spec.ts': test });
    assert.match(said, /^left replaced-in-test/);
  });
});

describe('a start is migrated', () => {
  const others: Readonly<Record<string, string>> = {
    'where another function of the module is replaced': `vi.mock('node:child_process', async (original) => ({ ...(await original()), exec: vi.fn() }));
import { start } from '../src/owner.mjs';`,
    'where a stub names another function': `const child_process = require('child_process');
const { start } = require('../src/owner');
sinon.stub(child_process, 'exec');`,
    'where the test is of another file': `vi.mock('node:child_process');
import { start } from '../src/another.mjs';`,
    'where the test starts real ones': `import { spawn } from 'node:child_process';
import { start } from '../src/owner.mjs';
const execa = require('execa');
vi.mock('../src/log.mjs');
it('spawn', () => { spawn('x'); });`,
  };
  for (const [name, test] of Object.entries(others)) {
    it(name, async () => {
      const said = await decided({ 'src/owner.mjs': OWNER, 'test/owner-spec.js': test });
      assert.equal(said, 'migrate');
    });
  }

  it('with a note where --despite-doubles says so, also of blocking calls', async () => {
    const test = FAKES.proxyquire ?? '';
    const files = { 'src/owner.mjs': OWNER, 'test/owner-spec.js': test };
    assert.equal(await decided(files, '--despite-doubles'), 'migrate test-double');
    const only = ['--only', 'replaced-in-test', '--despite-doubles'];
    assert.equal(await decided(files, ...only), 'migrate test-double');
    const reading = {
      'src/reader.mjs': `import { readFileSync } from 'node:fs';\nexport const read = async () => readFileSync('x');\n`,
      'test/reader.test.js': `vi.spyOn(fs, 'readFileSync');\nimport { read } from '../src/reader.mjs';\n`,
    };
    const offLoop = ['--recipe', 'off-loop', '--allow-api-change'];
    assert.match(await decided(reading, ...offLoop), /^left replaced-in-test/);
    assert.equal(await decided(reading, ...offLoop, '--despite-doubles'), 'migrate test-double');
    assert.equal(await decided(reading, ...offLoop, ...only), 'migrate test-double');
  });
});
