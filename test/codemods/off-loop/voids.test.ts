import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { changesOf } from '../../../codemods/apply/changes.ts';
import { passGates } from '../../../codemods/gates/pass-gates.ts';
import { recipeNamed } from '../../../codemods/recipes/recipes.ts';
import { Project } from '../project.ts';

const TYPES = `declare module 'node:fs' { export function readFileSync(path: string, encoding: 'utf8'): string; }
declare module 'node:fs/promises' { export function readFile(path: string, encoding: 'utf8'): Promise<string>; }
declare function setInterval(callback: () => void, ms: number): void;
declare function setImmediate(callback: () => void | Promise<void>): void;
`;

/** The texts of a TypeScript project after the migration, its gates passed, and the reasons of what was left. */
async function migrated(
  files: Record<string, string>,
): Promise<{ texts: Record<string, string>; left: string[] }> {
  using project = new Project({
    'package.json': '{ "name": "app", "private": true, "type": "module" }',
    'tsconfig.json':
      '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "lib": ["es2022"], "types": [] } }',
    'types.d.ts': TYPES,
    ...files,
  });
  const recipe = recipeNamed('off-loop');
  const options = {
    paths: [],
    cwd: project.folder,
    signal: new AbortController().signal,
    progress: () => undefined,
    outliving: 'leave' as const,
    markers: false,
    todos: false,
  };
  const planned = await recipe.plan(options);
  const drafted = { planned, changes: await changesOf(planned, false), refused: new Map() };
  const { changes, planned: last } = await passGates(recipe, options, drafted);
  return {
    texts: Object.fromEntries(
      changes.map(({ path, after }) => [path.slice(join(project.folder, 'x').length - 1), after]),
    ),
    left: Object.values(last.plan.files).flatMap(({ sites }) =>
      sites.flatMap(({ status, reason }) => (status === 'left' ? [reason ?? ''] : [])),
    ),
  };
}

it('a callback that must give no promise waits inside: inline, as an expression, by its name', async () => {
  const { texts, left } = await migrated({
    'a.ts': `import { readFileSync } from 'node:fs';

let last = '';
setInterval(() => {
  if (last) return;
  last = readFileSync('a', 'utf8');
}, 1000);
setInterval(() => readFileSync('b', 'utf8'), 1000);
setInterval(function () { last = readFileSync('c', 'utf8'); }, 1000);
function tick(): void {
  last = load();
}
const load = (): string => readFileSync('d', 'utf8');
setInterval(tick, 1000);
setImmediate(() => { last = load(); });
`,
  });
  assert.deepEqual(left, []);
  assert.equal(
    texts['a.ts'],
    `import { readFile } from 'node:fs/promises';

let last = '';
setInterval(() => { void (async () => {
  if (last) return;
  last = await readFile('a', 'utf8');
})(); }, 1000);
setInterval(() => void (async () => await readFile('b', 'utf8'))(), 1000);
setInterval(function () { void (async () => { last = await readFile('c', 'utf8'); })(); }, 1000);
function tick(): void { void (async () => {
  last = await load();
})(); }
const load = async (): Promise<string> => await readFile('d', 'utf8');
setInterval(tick, 1000);
setImmediate(async () => { last = await load(); });
`,
  );
});

it('a function that must give no promise here and is waited for there is left', async () => {
  const { texts, left } = await migrated({
    'a.ts': `import { readFileSync } from 'node:fs';

let last = '';
function tick(): void {
  last = readFileSync('d', 'utf8');
}
setInterval(tick, 1000);
export async function now(): Promise<string> {
  tick();
  return last;
}
`,
  });
  assert.deepEqual([texts, left], [{}, ['gate']]);
});

it('in JavaScript that nobody checks it is async itself', async () => {
  const tsconfig = (options: string): string =>
    `{ "compilerOptions": { "allowJs": true, ${options} "lib": ["es2022"], "types": [] } }`;
  const files = {
    'a.js':
      "import { readFileSync } from 'node:fs';\nsetInterval(() => { console.log(readFileSync('a', 'utf8')); }, 1000);\n",
  };
  const { texts } = await migrated({ ...files, 'tsconfig.json': tsconfig('') });
  assert.match(texts['a.js'] ?? '', /setInterval\(async \(\) => \{ console/);
  const checked = await migrated({ ...files, 'tsconfig.json': tsconfig('"checkJs": true,') });
  assert.match(checked.texts['a.js'] ?? '', /void \(async/);
});
