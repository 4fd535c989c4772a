// Runs better-sqlite3's own tests through the facade, with an `await` at each leaf, and says what passes.
//
//   npm run drop-in -- <a checkout of better-sqlite3 12> [--failed]
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropIn } from '../../test/helpers/on-demand.ts';
import { addAwaits } from './drop-in/add-awaits.ts';
import { printTable } from './measure.ts';

interface Result {
  fullTitle: string;
  err: { message?: string };
}

interface Results {
  passes: Result[];
  failures: Result[];
}

const [checkout, flag] = process.argv.slice(2);
if (checkout === undefined) {
  console.error('usage: npm run drop-in -- <a checkout of better-sqlite3 12> [--failed]');
  process.exit(2);
}
const installed = dropIn();
const folder = join(installed, 'run');
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'temp'), { recursive: true });
cpSync(join(checkout, 'test'), join(folder, 'test'), { recursive: true });
const runtime = fileURLToPath(new URL('../../runtime/dist/off-loop/sqlite.js', import.meta.url));
writeFileSync(
  join(folder, 'index.js'),
  `const { openDatabase } = require(${JSON.stringify(runtime)});
module.exports = function Database(path = '', options = {}) {
  return openDatabase(path, { ...options, driver: 'better-sqlite3', resolveFrom: __filename });
};
module.exports.SqliteError = require('better-sqlite3').SqliteError;
`,
);
const suites = readdirSync(join(folder, 'test')).filter((name) => name.endsWith('.js'));
for (const name of suites) {
  const path = join(folder, 'test', name);
  const text = readFileSync(path, 'utf8');
  // The set-up tells the tests what they share.
  writeFileSync(path, name.startsWith('00.') ? text + helpers() : addAwaits(text));
}
const mocha = join(installed, 'node_modules/mocha/bin/mocha.js');
const results = suites
  .filter((name) => !name.startsWith('00.'))
  .map((name) => [name, resultOf(name)] as const);
const count = (of: keyof Results): number =>
  results.reduce((sum, [, each]) => sum + (each?.[of].length ?? 0), 0);
printTable([
  ['better-sqlite3, its own tests through the facade', 'passed', 'failed'],
  ...results.map(([name, each]) =>
    each ? [name, String(each.passes.length), String(each.failures.length)] : [name, 'did not end', ''],
  ),
  ['all', String(count('passes')), String(count('failures'))],
]);
if (flag === '--failed') {
  for (const { fullTitle, err } of results.flatMap(([, each]) => each?.failures ?? []))
    console.log(`${fullTitle}: ${err.message?.split('\n')[0] ?? ''}`);
}

/** Each file has a process of its own: one that waits for ever must not take the others along. */
function resultOf(name: string): Results | undefined {
  const report = join(folder, `${name}.json`);
  const args = [
    '--exit',
    '--timeout=5000',
    '--reporter=json',
    `--reporter-option=output=${report}`,
    'test/00.setup.js',
    `test/${name}`,
  ];
  const endsWithin = { timeout: 180_000, killSignal: 'SIGKILL' } as const;
  spawnSync(process.execPath, [mocha, ...args], { cwd: folder, stdio: 'ignore', ...endsWithin });
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Results) : undefined;
}

/** What {@link addAwaits} writes calls of. */
function helpers(): string {
  return `
global.util.outcomeOf = async (fn) => {
  try {
    const value = await fn();
    return () => value;
  } catch (error) {
    return () => { throw error; };
  }
};
global.util.map = (list, fn) => list.reduce(async (made, each, i) => [...await made, await fn(each, i, list)], []);
global.util.forEach = async (list, fn) => void await util.map(list, fn);
global.util.reduce = async (list, fn, first) => {
  for (const each of list) first = await fn(first, each);
  return first;
};
global.util.collect = async (rows) => {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
};
`;
}
