import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan, Refusal } from '../../codemods/plan/plan.ts';
import { troubles } from '../../codemods/gates/gates.ts';
import { passGates, type Ready } from '../../codemods/gates/pass-gates.ts';
import { sha256 } from '../../codemods/plan/plan-text.ts';
import { delta, type Said } from '../../codemods/gates/delta.ts';
import { spliced } from '../../codemods/apply/changes.ts';
import type { Planned, ProjectOptions } from '../../codemods/plan/project.ts';
import type { Recipe } from '../../codemods/recipes/recipes.ts';
import { Project } from './project.ts';
import { join } from 'node:path';
import { UserError } from 'owned-spawn/cli';

/** A plan that replaces stretches of text, a set for each file. */
function planOf(
  project: Project,
  wanted: Readonly<Record<string, readonly [old: string, text: string]>>,
): Ready {
  const files: Plan['files'] = {};
  const planned: Planned = {
    plan: { version: 1, recipe: 'test', files },
    base: project.folder,
    texts: new Map(),
    failures: [],
    notes: [],
    manifests: [],
    files: 0,
  };
  const changes = Object.entries(wanted).map(([name, [old, text]]) => {
    const before = project.read(name);
    const start = before.indexOf(old);
    const site = { line: 1, column: 1, symbol: '', callee: '', status: 'migrate' as const, set: name };
    const plan = {
      sha256: sha256(before),
      edits: [{ start, end: start + old.length, old, text, sets: [name] }],
      sites: [site],
    };
    files[name] = plan;
    const path = join(project.folder, name);
    planned.texts.set(name, { path, text: before });
    return { path, before, after: spliced(before, plan.edits) };
  });
  return { planned, changes, refused: new Map() };
}

const said = (ready: Ready, project: Project, ...sources: string[]): string[] =>
  troubles(
    ready.planned,
    ready.changes,
    sources.map((name) => join(project.folder, name)),
  ).map(({ file, text, sets }) => `${file.slice(project.folder.length + 1)} ${text} [${sets.join()}]`);

const TSCONFIG =
  '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": [] } }';
const LIB = 'export function load(): string { return "x"; }\n';
const LIB_ASYNC = ['load(): string {', 'async load(): Promise<string> {'] as const;

describe('the gates', () => {
  it('see what an edit breaks in a file that imports through another one, and blame the set that edits', () => {
    using project = new Project({
      'tsconfig.json': TSCONFIG,
      'lib.ts': LIB,
      'index.ts': "export { load } from './lib.js';\n",
      'app.ts':
        "import { load } from './index.js';\nexport const red: number = 'red before';\nexport const n = load().length;\n",
      'far.ts': 'export const x: number = 1;\n',
    });
    const ready = planOf(project, {
      'lib.ts': ['function load(): string', 'async function load(): Promise<string>'],
      'far.ts': ['1', '2'],
    });
    assert.deepEqual(said(ready, project), [
      "app.ts TS2339: Property 'length' does not exist on type 'Promise<string>'. [lib.ts]",
    ]);
  });

  it('read a package that is there twice in the same version', () => {
    const copy = (folder: string): Record<string, string> => ({
      [`${folder}/package.json`]: '{ "name": "twice", "version": "1.0.0", "types": "index.d.ts" }',
      [`${folder}/index.d.ts`]: 'export declare const twice: string;\n',
    });
    using project = new Project({
      'tsconfig.json': TSCONFIG,
      ...copy('node_modules/twice'),
      ...copy('node_modules/uses/node_modules/twice'),
      'node_modules/uses/package.json': '{ "name": "uses", "version": "1.0.0", "types": "index.d.ts" }',
      'node_modules/uses/index.d.ts': "export { twice as again } from 'twice';\n",
      'lib.ts': LIB,
      'app.ts':
        "import { load } from './lib.js';\nimport { twice } from 'twice';\nimport { again } from 'uses';\nexport const n = load().length + twice.length + again.length;\n",
    });
    const ready = planOf(project, {
      'lib.ts': ['function load(): string', 'async function load(): Promise<string>'],
    });
    assert.deepEqual(said(ready, project), [
      "app.ts TS2339: Property 'length' does not exist on type 'Promise<string>'. [lib.ts]",
    ]);
  });

  it('see it in JavaScript without a tsconfig', () => {
    using project = new Project({
      'lib.cjs': 'exports.load = function load() { return "x"; };\n',
      'app.cjs': "const { load } = require('./lib.cjs');\nmodule.exports = load().length;\n",
    });
    const ready = planOf(project, { 'lib.cjs': ['function load', 'async function load'] });
    assert.deepEqual(said(ready, project, 'lib.cjs', 'app.cjs'), [
      "app.cjs TS2339: Property 'length' does not exist on type 'Promise<string>'. [lib.cjs]",
    ]);
  });

  it('see it in JavaScript that uses TypeScript without a tsconfig', () => {
    using project = new Project({
      'lib.ts': LIB,
      'app.mjs': "import { load } from './lib.ts';\nexport const n = load().length;\n",
    });
    const ready = planOf(project, {
      'lib.ts': ['function load(): string', 'async function load(): Promise<string>'],
    });
    assert.deepEqual(said(ready, project, 'lib.ts', 'app.mjs'), [
      "app.mjs TS2339: Property 'length' does not exist on type 'Promise<string>'. [lib.ts]",
    ]);
  });

  it('say nothing of rows that are unknown now in JavaScript that nobody checks, but of a promise', () => {
    const rows = (type: string): string => `/** @returns {${type}} */\nexport function rows()`;
    const files = {
      'lib.js': `${rows('any')} { return all(); }\n`,
      'app.js':
        "import { rows } from './lib.js';\nexport const names = rows().map((row) => row.name);\nconst [first] = rows();\nexport const parsed = first === undefined ? null : JSON.parse(first);\n",
      'checked.js':
        "// @ts-check\nimport { rows } from './lib.js';\nexport const names = rows().map((row) => row.name);\n",
    };
    const edited = (type: string, config = {}): string[] => {
      using project = new Project({ ...files, ...config });
      const ready = planOf(project, { 'lib.js': [rows('any'), rows(type)] });
      return said(ready, project, ...Object.keys(files)).map((each) => each.replace(/:.*/s, ''));
    };
    assert.deepEqual(edited('unknown[]'), ['checked.js TS18046']);
    assert.deepEqual(edited('never'), ['checked.js TS2339']);
    const checking = {
      'tsconfig.json': TSCONFIG.replace('{ "strict"', '{ "allowJs": true, "checkJs": true, "strict"'),
    };
    assert.deepEqual(edited('unknown[]', checking), [
      'app.js TS18046',
      'app.js TS2345',
      'checked.js TS18046',
    ]);
    assert.deepEqual(edited('Promise<unknown[]>'), ['app.js TS2339', 'app.js TS2488', 'checked.js TS2339']);
  });

  it('say nothing of types taken for any in JavaScript that nobody checks, but of those of a promise', () => {
    const again = 'return n > 0 ? poll(n - 1) : 0;';
    using project = new Project({
      'poll.js': 'export async function poll(n) { return 0; }\n',
      'checked.js': '// @ts-check\nexport async function poll(n) { return 0; }\n',
      'lib.js': 'export function load() { return { size: 1 }; }\n',
      'table.js': "import { load } from './lib.js';\nexport const get = (key) => ({ load })[key];\n",
      'app.js': "import { load } from './lib.js';\nconst key = 'size';\nexport const size = load()[key];\n",
    });
    const ready = planOf(project, {
      'poll.js': ['return 0;', again],
      'checked.js': ['return 0;', again],
      'lib.js': ['function load', 'async function load'],
    });
    const found = said(ready, project, 'poll.js', 'checked.js', 'lib.js', 'table.js', 'app.js');
    assert.deepEqual(
      found.map((each) => each.replace(/:.*/s, '')),
      ['checked.js TS7023', 'app.js TS7053'],
    );
  });

  it('say nothing of values that do not fit in JavaScript that nobody checks, but of promises', () => {
    const files = {
      'package.json': '{ "type": "module" }',
      'hash.d.ts': `export function hashSync(text: string): string;
export function hash(text: string): Promise<string>;
export function hash(text: string, done: () => void): void;
export function sameSync(text: string): boolean;
export function same(text: string): Promise<boolean>;
export function same(text: string, done: () => void): void;
`,
      'same.js': `import { same, sameSync } from './hash.js';
export async function check() { if (!sameSync(process.env.SECRET)) throw new Error('no'); }
`,
      'lib.js': `import { hash, hashSync } from './hash.js';
export function load() { return String(hashSync(process.env.SECRET)); }
`,
      'app.js': "import { load } from './lib.js';\nexport const value = Number.parseInt(load());\n",
    };
    using project = new Project({
      ...files,
      'node.d.ts': 'declare const process: { env: { SECRET?: string } };',
    });
    const ready = planOf(project, {
      'same.js': ['!sameSync(', '!await same('],
      'lib.js': [
        'function load() { return String(hashSync(',
        'async function load() { return String(await hash(',
      ],
    });
    assert.deepEqual(
      said(ready, project, 'node.d.ts', 'lib.js', 'same.js', 'app.js').map((each) =>
        each.replace(/\. .*\[/s, '. ['),
      ),
      [
        "app.js TS2345: Argument of type 'Promise<string>' is not assignable to parameter of type 'string'. [lib.js]",
      ],
    );
  });

  it('count a mistake that was there before once, though the edit shows it another type', () => {
    using project = new Project({
      'a.js': `/** @param {{ stdio?: 'ignore' | 'pipe', detached?: boolean }} options */
function spawn(options) { return options; }
const spawnOwned = spawn;
const background = { stdio: 'ignore', detached: true };
const own = { stdio: 'ignore' };
spawn({ ...background });
`,
    });
    const ready = planOf(project, {
      'a.js': ['spawn({ ...background })', 'spawnOwned({ ...own })'],
    });
    assert.deepEqual(said(ready, project, 'a.js'), []);
  });

  it('see a promise that nobody waits for any more', () => {
    using project = new Project({
      'tsconfig.json': TSCONFIG,
      'lib.ts': 'export function save(): void {}\n',
      'app.ts': "import { save } from './lib.js';\nsave();\n",
    });
    const ready = planOf(project, {
      'lib.ts': ['function save(): void', 'async function save(): Promise<void>'],
    });
    const [one, ...more] = said(ready, project);
    assert.match(one ?? '', /^app\.ts no-floating-promises: .* \[lib\.ts\]$/);
    assert.deepEqual(more, []);
  });

  it('know the runtime before it is installed', () => {
    const before = 'export const a = 1;';
    const after = `import { killOwned } from 'owned-spawn';
export const a: string = killOwned;
export const b = (): void => {
  killOwned(1);
};`;
    using project = new Project({ 'tsconfig.json': TSCONFIG, 'a.ts': before });
    const found = said(planOf(project, { 'a.ts': [before, after] }), project);
    assert.equal(found.length, 2, found.join('\n'));
    assert.match(found[0] ?? '', /TS2322/);
    assert.match(found[1] ?? '', /no-floating-promises/);
  });

  it('take modules of Node for there where the project has no types of them', () => {
    const files = {
      'a.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync('a');\n",
      'b.cjs': "const { execFileSync } = require('child_process');\nmodule.exports = execFileSync;\n",
    };
    const edits = {
      'a.ts': [
        'export const a = ',
        "import { readFile } from 'node:fs/promises';\nimport { mend } from './none.js';\nexport const a = mend ?? readFile('b') ?? ",
      ],
      'b.cjs': [
        'module.exports',
        "const { promisify } = require('util');\nexports.p = promisify;\nmodule.exports",
      ],
    } as const;
    for (const module of ['nodenext', 'commonjs']) {
      using project = new Project({ 'tsconfig.json': TSCONFIG.replace('nodenext', module), ...files });
      assert.deepEqual(
        said(planOf(project, edits), project).map((line) => line.slice(0, 40)),
        ["a.ts TS2307: Cannot find module './none."],
      );
    }
  });

  it('count what is said again, not what moved', () => {
    const one = (line: number, key = 'k'): Said => ({ file: 'a', line, key, text: key });
    assert.deepEqual(delta([one(1), one(2)], [one(5), one(9)]), []);
    assert.deepEqual(delta([one(1)], [one(1), one(2), one(3, 'other')]), [one(2), one(3, 'other')]);
    const old = { ...one(7), code: 'old' };
    const edited = { ...one(3), code: 'edited' };
    assert.deepEqual(delta([old], [edited, { ...old, line: 8 }]), [edited]);
  });

  it('take the sets out that are to blame, once more if need be, and keep the others', async () => {
    using project = new Project({
      'tsconfig.json': TSCONFIG,
      'lib.ts': LIB,
      'app.ts': "import { load } from './lib.js';\nexport const n = load().length;\n",
      'far.ts': 'export const x: number = 1;\n',
    });
    const wanted = {
      'lib.ts': [`function ${LIB_ASYNC[0]}`, LIB_ASYNC[1].replace('async ', 'async function ')],
      'far.ts': ['1', '2'],
    } as const;
    const seen: string[][] = [];
    const recipe: Recipe = {
      name: 'test',
      rules: [],
      plan: ({ refused = new Map<string, Refusal>(), overlay }) => {
        seen.push([...refused.keys()]);
        if (overlay) return Promise.resolve(planOf(project, {}).planned);
        const left = Object.entries(wanted).filter(([name]) => !refused.has(name));
        return Promise.resolve(planOf(project, Object.fromEntries(left)).planned);
      },
    };
    const options = {
      paths: [project.folder],
      cwd: project.folder,
      signal: new AbortController().signal,
      progress: () => undefined,
      outliving: 'leave',
      markers: false,
      todos: false,
    } satisfies ProjectOptions;
    const { changes } = await passGates(recipe, options, planOf(project, wanted));
    assert.deepEqual(
      changes.map(({ path }) => path),
      [join(project.folder, 'far.ts')],
    );
    assert.deepEqual(seen, [[], ['lib.ts'], ['lib.ts']]);
    const stubborn: Recipe = {
      ...recipe,
      plan: ({ overlay }) => Promise.resolve(planOf(project, overlay ? {} : wanted).planned),
    };
    await assert.rejects(passGates(stubborn, options, planOf(project, wanted)), UserError);
    const restless: Recipe = {
      ...recipe,
      plan: () => Promise.resolve(planOf(project, { 'far.ts': ['1', '2'] }).planned),
    };
    await assert.rejects(
      passGates(restless, options, planOf(project, { 'far.ts': ['1', '2'] })),
      /a second run would change/,
    );
  });

  it('make the command leave what they refuse, in a dry run as with --write', async () => {
    using project = new Project({
      'tsconfig.json': TSCONFIG,
      'node_modules/owned-spawn/package.json':
        '{ "name": "owned-spawn", "version": "1.0.0", "types": "index.d.ts" }',
      'node_modules/owned-spawn/index.d.ts': "export function spawnOwned(command: string): 'odd';\n",
      'odd.ts':
        "// @ts-ignore\nimport { spawn } from 'node:child_process';\nexport const odd = spawn('a', { detached: true });\nexport const n: number = odd;\n",
      'package.json': '{ "name": "app" }\n',
    });
    const dry = await project.migrateThroughGates();
    assert.match(dry.stdout, /^odd\.ts:3:20 {2}gate {2}TS2322: .* \(odd\.ts:4\)$/m, dry.stderr);
    const { code, stdout } = await project.migrateThroughGates('--write');
    assert.equal(code, 0);
    assert.match(stdout, /^0 sites migrated in 0 files, 1 left alone \(1 gate\)\.$/m);
    assert.match((await project.migrate()).stdout, /^1 site to migrate/m);
  });

  it('find in the edited code the site that was not asked for where it went', async () => {
    const call = "spawn('a', [], { detached: true });\n";
    using project = new Project({
      'a.mjs': `import { spawn } from 'node:child_process';\nexport const a = ${call}export const b = ${call}`,
    });
    const { stdout } = await project.migrateThroughGates('--skip', 'a.mjs:2');
    assert.match(stdout, /^1 site to migrate in 1 file, 0 left alone\.$/m);
    assert.match(stdout, /^ export const a = spawn\(.*\n-export const b/m);
  });
});
