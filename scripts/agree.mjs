// npm run agree -- FOLDER…: whether ESLint by its own API, with the typed preset over a plain TypeScript program, says
// exactly what `owned-spawn check` says of the same files, and check the same bytes twice. Exit code 1 if not.
//
// Left out: files that check skips as minified, and those that typescript-eslint's parser refuses (check has others).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import plugin from 'eslint-plugin-owned-spawn';
import ts from 'typescript';
import { sourceFiles } from '../rules/dist/check/files.js';
import { isMinified } from '../rules/dist/check/minified.js';

const bin = fileURLToPath(new URL('../rules/bin/owned-spawn.js', import.meta.url));
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('usage: npm run agree -- <folder>…');
  process.exit(2);
}

/** What check prints about a folder. */
function checked(folder) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, 'check', '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status === null || status > 1) throw new Error(`check could not: ${stderr}`);
  return stdout;
}

/** A program as a project with plain JavaScript beside its TypeScript would make it. */
const programOf = (paths) =>
  ts.createProgram(paths, {
    allowJs: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    jsx: ts.JsxEmit.Preserve,
    skipLibCheck: true,
    types: [],
  });

const lineOf = ({ file, line, column, endLine, endColumn, ruleId, message }) =>
  `${file}:${line}:${column}-${endLine}:${endColumn} ${ruleId} ${message}`;

/** The findings of ESLint, and the files that it could not parse. */
async function linted(folder, texts) {
  // What is off the loop by its path is told from the current folder.
  process.chdir(folder);
  const eslint = new ESLint({
    cwd: folder,
    ignore: false,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'],
        ...plugin.configs['recommended-type-checked'],
        languageOptions: { parser, parserOptions: { programs: [programOf([...texts.keys()])] } },
        linterOptions: { reportUnusedDisableDirectives: 'off' },
      },
      { ignores: ['!**/node_modules/', '!.git/'] },
    ],
  });
  const refused = new Set();
  const lines = [];
  for (const [path, text] of texts) {
    const file = relative(folder, path);
    const [result] = await eslint.lintText(text, { filePath: path });
    // A directive that does not parse is fatal too.
    if (result?.messages.some(({ fatal, message }) => fatal && message.startsWith('Parsing error')))
      refused.add(file);
    for (const { ruleId, ...message } of result?.messages ?? [])
      if (ruleId?.startsWith('owned-spawn/')) lines.push(lineOf({ file, ruleId, ...message }));
  }
  return { lines, refused };
}

const totals = { sources: 0, files: 0, findings: 0, differences: 0, unstable: 0 };
for (const folder of folders.map((path) => resolve(path))) {
  const [first, second] = [checked(folder), checked(folder)];
  const paths = (await sourceFiles(['.'], folder, false)).map(({ path }) => path);
  const texts = new Map(
    paths
      .map((path) => [path, readFileSync(path, 'utf8')])
      .filter(([path, text]) => !isMinified(path, text) && !text.slice(0, 8000).includes('\0')),
  );
  const { lines, refused } = await linted(folder, texts);
  const findings = JSON.parse(first).filter(({ file, ruleId }) => ruleId !== null && !refused.has(file));
  const [ours, theirs] = [new Set(findings.map(lineOf)), new Set(lines)];
  const differences = [
    ...[...ours].filter((line) => !theirs.has(line)).map((line) => `  check alone:  ${line}`),
    ...[...theirs].filter((line) => !ours.has(line)).map((line) => `  ESLint alone: ${line}`),
  ];
  totals.sources += 1;
  totals.files += texts.size - refused.size;
  totals.findings += findings.length;
  totals.differences += differences.length;
  totals.unstable += first === second ? 0 : 1;
  console.log(
    `${basename(folder)}: ${texts.size - refused.size} files, ${findings.length} findings, ${differences.length} differences` +
      `${refused.size > 0 ? `, ${refused.size} refused by the parser` : ''}${first === second ? '' : ', TWO RUNS DIFFER'}`,
  );
  for (const line of differences) console.log(line);
}
console.log(
  `\n${totals.sources} sources, ${totals.files} files: ${totals.findings} findings, ${totals.differences} of them not in both; ` +
    `${totals.sources - totals.unstable} of ${totals.sources} sources gave the same bytes twice`,
);
process.exitCode = totals.differences + totals.unstable > 0 ? 1 : 0;
