// Functions that are called through what wraps them: memoized ones, `bind`, `promisify`, higher-order functions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../rules/check/finding.ts';
import { CheckProject } from '../../helpers/check-project.ts';

const READ = "import { readFileSync } from 'node:fs';\n";
const CALL = 'export async function h() { return f(); }\n';
const LOAD = `${READ}export function load(p) { return readFileSync(p); }\n`;

/** `file:line: callee` of each call that leads to the blocking one. */
async function ways(files: Record<string, string>): Promise<string[]> {
  using project = new CheckProject(files);
  const { out } = await project.check(['--format', 'json']);
  return (JSON.parse(out) as Finding[]).map(({ file, line, path }) =>
    [`${file}:${String(line)}`, ...(path ?? []).map(({ name }) => name)].join(' '),
  );
}

const one: Record<string, string> = {
  'a package that memoizes': "import memoize from 'memoize';\nconst f = memoize(() => readFileSync('x'));\n",
  'a helper of a collection':
    "import _ from 'lodash';\nconst load = () => readFileSync('x');\nconst f = _.memoize(load);\n",
  'an own function that keeps the result':
    "function once(fn) { let v; return (...args) => (v ??= fn(...args)); }\nconst f = once(() => readFileSync('x'));\n",
  'an own function that gives an inner one by its name':
    "function guard(fn) { function run() { return fn.apply(this, arguments); } return run; }\nfunction load() { return readFileSync('x'); }\nconst f = guard(load);\n",
  bind: "class L { load() { return readFileSync('x'); } }\nconst l = new L();\nconst f = l.load.bind(l);\n",
  promisify:
    "import { promisify } from 'node:util';\nfunction load(cb) { cb(null, readFileSync('x')); }\nconst f = promisify(load);\n",
};

describe('calls through what wraps a function', () => {
  for (const [what, code] of Object.entries(one))
    it(`enter it by ${what}`, async () => {
      const text = READ + code + CALL;
      const line = text.split('\n').length - 1;
      assert.deepEqual(await ways({ 'a.js': text }), [`a.js:${String(line)} f readFileSync`]);
    });

  it('do not enter what is called a single time in a process', async () => {
    const text = `${READ}import _ from 'lodash';
import once from 'onetime';
const f = once(() => readFileSync('x'));
const g = _.once(() => readFileSync('x'));
export async function h() { return f() + g(); }
`;
    assert.deepEqual(await ways({ 'a.js': text }), []);
  });

  it('enter it in fields, properties, default exports and through other files', async () => {
    assert.deepEqual(
      await ways({
        'lib.js': LOAD,
        'util.js': 'export const cached = (fn) => (...args) => fn(...args);\n',
        'typed.ts': `export function timed<T>(fn: (p: string) => T): (p: string) => T {
  const start = Date.now();
  return (p) => { log(start); return fn(p); };
}
`,
        'made.ts': `${READ}import memoize from 'p-memoize';
import { cached } from './util.js';
import { load } from './lib.js';
import { timed } from './typed';
export const direct = memoize(load);
export const own = cached((p: string) => readFileSync(p));
export const other = timed(load);
export class Store { load = memoize(() => readFileSync('x')); }
export default { load: cached(load) };
`,
        'a.ts': `import made, { direct, other, own, Store } from './made';
export async function a() { return direct('x'); }
export async function b() { return own('x'); }
export async function c() { return other('x'); }
export async function d() { return new Store().load(); }
export async function e() { return made.load('x'); }
`,
      }),
      ['direct', 'own', 'other', 'load', 'load'].map(
        (name, at) => `a.ts:${String(at + 2)} ${name} readFileSync`,
      ),
    );
  });

  it('enter nothing where it is not known that they call it', async () => {
    assert.deepEqual(
      await ways({
        'keep.js': 'export const keep = (fn) => () => [fn];\nexport const now = (fn) => fn();\n',
        'a.js': `${READ}import { plan } from 'somewhere';
import { keep, now } from './keep.js';
const f = plan(() => readFileSync('x'));
const g = keep(() => readFileSync('x'));
const k = now(() => readFileSync('x'));
const texts = ['x'].map((p) => readFileSync(p));
export async function h() { f(); g(); k(); return texts; }
`,
      }),
      [],
    );
  });
});
