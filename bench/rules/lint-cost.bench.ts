// What the recommended rules add to an ESLint run over 1,000 files, file by file in turn with the run without them.
// `--files=1000 --rounds=3`; the files are JavaScript of this repository's dependencies, a tenth of them start processes.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as parser from '@typescript-eslint/parser';
import plugin from 'eslint-plugin-owned-spawn';
import { Linter } from 'eslint';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import { numberFlag, report, round, runAheadOfOthers, type Row } from '../measure.ts';

runAheadOfOthers();

const root = resolve(import.meta.dirname, '../../node_modules');
const wanted = numberFlag('files', 1000);
const rounds = numberFlag('rounds', 3);

const PROCESSES = /child_process|execa|cross-spawn/;

/** Files as people write them, or as compilers leave them: not minified, neither tiny nor huge, `share` with processes. */
function sample(count: number, share: number): string[] {
  const texts = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?js$/.test(name))
    .sort()
    .map((name) => join(root, name))
    .filter((path) => {
      const stats = statSync(path);
      return stats.isFile() && stats.size > 1000 && stats.size < 60_000;
    })
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => !/[^\n]{500}/.test(text));
  const [starters, others] = [true, false].map((starts) =>
    texts.filter((text) => PROCESSES.test(text) === starts),
  );
  const chosen = spread(starters ?? [], count * share);
  return [...chosen, ...spread(others ?? [], count - chosen.length)];
}

/** Every n-th, so that all packages are in. */
const spread = (list: readonly string[], count: number): string[] =>
  list.filter(
    (_, index) =>
      Math.floor((index * count) / list.length) !== Math.floor(((index - 1) * count) / list.length),
  );

// eslint-disable-next-line @typescript-eslint/no-deprecated -- @eslint/js, which lists them, is no dependency
const recommended = [...builtinRules].flatMap(([name, { meta }]) => (meta?.docs?.recommended ? [name] : []));
/** The preset has those of the event loop too. */
const ours: Record<string, readonly string[]> = {
  'the two spawn rules': ['owned-spawn/no-detached-spawn', 'owned-spawn/valid-marker'],
  'the recommended preset': Object.keys(plugin.configs.recommended.rules ?? {}),
};

function config(rules: readonly string[]): Linter.Config {
  return {
    files: ['**/*.js'],
    languageOptions: { parser },
    plugins: { 'owned-spawn': plugin },
    rules: Object.fromEntries(rules.map((rule) => [rule, 'error'])),
  };
}

/** The first is the least that a run can cost. */
const bases: Record<string, readonly string[]> = {
  'one rule, no-debugger': ['no-debugger'],
  "ESLint's recommended rules": recommended,
};
const linter = new Linter();

function timeOf(text: string, rules: Linter.Config): number {
  const start = performance.now();
  linter.verify(text, rules, { filename: 'a.js' });
  return performance.now() - start;
}

/** The best of some rounds for one file, without and with our rules, in turn. */
function compare(text: string, without: Linter.Config, within: Linter.Config): [number, number] {
  let [least, most] = [Infinity, Infinity];
  for (let turn = 0; turn < rounds; turn++) {
    // Neither goes first always.
    if (turn % 2 === 0) least = Math.min(least, timeOf(text, without));
    most = Math.min(most, timeOf(text, within));
    if (turn % 2 === 1) least = Math.min(least, timeOf(text, without));
  }
  return [least, most];
}

/** By how much the runs with our rules take longer, in percent. */
function added(times: readonly (readonly [number, number])[]): number {
  const [without, within] = [0, 1].map((side) => times.reduce((sum, time) => sum + (time[side] ?? 0), 0));
  return round(((within ?? 0) / (without ?? 0) - 1) * 100);
}

const texts = sample(wanted, 0.1);
const starts = texts.map((text) => PROCESSES.test(text));
const rows = Object.entries(ours).flatMap(([what, rules]) =>
  Object.entries(bases).map(([name, base]): Row => {
    const [without, within] = [config(base), config([...base, ...rules])];
    for (const text of texts.slice(0, 50)) compare(text, without, within); // warm up
    const times = texts.map((text) => compare(text, without, within));
    return {
      rules: what,
      beside: name,
      'added, %': added(times),
      'in files with processes, %': added(times.filter((_, index) => starts[index])),
      'in others, %': added(times.filter((_, index) => !starts[index])),
      'file without, ms': round(times.reduce((sum, [time]) => sum + time, 0) / times.length),
    };
  }),
);
report(`${texts.length} files, ${starts.filter(Boolean).length} of which name a process API`, rows);
