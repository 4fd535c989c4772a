// Proves on real code that a migration changes nothing outside its edits.
//
//   node --import tsx bench/codemods/bytes.ts [--outliving leave|own|detach] FOLDER…
//
// For every file with edits: the edits taken back give the file's bytes again, its comments are all there in their
// order, its code differs in the edited tokens only, the result parses, and a second plan has no edits.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { applyEdits, parseModule, sourceFiles } from 'eslint-plugin-owned-spawn/api';
import { planText } from '../../codemods/plan/plan-text.ts';
import { planProject } from '../../codemods/plan/project.ts';
import type { Outliving, PlannedEdit } from '../../codemods/plan/plan.ts';

const args = process.argv.slice(2);
const flag = args.indexOf('--outliving');
const outliving = (flag < 0 ? 'leave' : args[flag + 1]) as Outliving;
const folders = args.filter((_, i) => flag < 0 || (i !== flag && i !== flag + 1));
const options = { outliving, markers: false, todos: false };

/** The edits that take a text back to what it was. */
function reverted(edits: readonly PlannedEdit[]): { start: number; end: number; text: string }[] {
  let shift = 0;
  return edits.map(({ start, end, text, old }) => {
    const at = start + shift;
    shift += text.length - (end - start);
    return { start: at, end: at + text.length, text: old };
  });
}

/** What is wrong with a file's edits, in words. */
function faults(path: string, bytes: Buffer, edits: readonly PlannedEdit[]): string[] {
  const text = bytes.toString('utf8');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = text.slice(mark.length);
  const after = applyEdits(before, edits);
  const found: string[] = [];
  if (!Buffer.from(mark + applyEdits(after, reverted(edits))).equals(bytes))
    found.push('bytes outside the edits changed');
  if (path.endsWith('.json')) return found;
  const comments = (code: string): string =>
    parseModule(code, path)
      .comments.map(({ value }) => value)
      .join('\0');
  try {
    if (comments(after) !== comments(before)) found.push('comments changed');
    if (planText(after, path, options).edits.length > 0) found.push('a second run changes more');
  } catch (error) {
    found.push(`does not parse: ${(error as Error).message}`);
  }
  return found;
}

let total = { files: 0, sites: 0, edits: 0, changed: 0, faults: 0 };
for (const folder of folders) {
  const { plan, texts } = await planProject({
    ...options,
    paths: [resolve(folder)],
    cwd: process.cwd(),
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  let sites = 0;
  for (const [shown, { path }] of texts) {
    const file = plan.files[shown];
    if (!file) continue;
    sites += file.sites.filter(({ status }) => status === 'migrate').length;
    const wrong = faults(path, readFileSync(path), file.edits);
    for (const fault of wrong) console.log(`${path}: ${fault}`);
    total = {
      ...total,
      edits: total.edits + file.edits.length,
      changed: total.changed + file.edits.reduce((sum, { old, text }) => sum + old.length + text.length, 0),
      faults: total.faults + wrong.length,
    };
  }
  const { length } = await sourceFiles([resolve(folder)], process.cwd(), false);
  total = { ...total, files: total.files + length, sites: total.sites + sites };
  console.log(`${folder}: ${length} source files, ${texts.size} edited, ${sites} sites migrated`);
}
console.log(
  `${total.files} source files, ${total.sites} sites, ${total.edits} edits of ${total.changed} characters, ${total.faults} faults`,
);
process.exitCode = total.faults > 0 ? 1 : 0;
