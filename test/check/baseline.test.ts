import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { BaselineEntry } from '../../rules/check/baseline.ts';
import { CheckProject } from '../helpers/check-project.ts';

const IMPORT = "import { spawn } from 'node:child_process';\n";
const spawn = (name: string): string => `spawn('${name}', [], { detached: true });\n`;
/** A function that starts some children. */
const start = (symbol: string, ...names: string[]): string =>
  `export function ${symbol}() {\n${names.map((name) => `  ${spawn(name)}`).join('')}}\n`;

const BASELINE = ['--baseline', 'baseline.json'] as const;
const CI = { CI: 'true' };

const entries = (project: CheckProject): BaselineEntry[] => {
  const { version, findings } = JSON.parse(project.read('baseline.json')) as {
    version: number;
    findings: BaselineEntry[];
  };
  assert.equal(version, 1);
  return findings;
};
const held = (project: CheckProject): string[] =>
  entries(project).map(({ file, symbol, ordinal }) => `${file} ${symbol} ${ordinal}`);

/** A project whose findings are all in its baseline. */
async function adopted(files: Readonly<Record<string, string>>): Promise<CheckProject> {
  const project = new CheckProject(files);
  const { code, err } = await project.check(BASELINE);
  assert.equal(code, 0, err);
  assert.match(err, /baseline\.json was made and holds \d+/);
  return project;
}

describe('check --baseline', () => {
  it('holds what was there, in a stable order, one line an entry', async () => {
    using project = await adopted({
      'b.js': IMPORT + start('one', 'a', 'b') + spawn('c'),
      'a/a.js': IMPORT + start('two', 'd'),
      'eslint.config.mjs': '',
    });
    assert.deepEqual(held(project), ['a/a.js two 1', 'b.js  1', 'b.js one 1', 'b.js one 2']);
    assert.deepEqual(Object.keys(entries(project)[0] ?? {}), [
      ...['file', 'rule', 'symbol', 'callee', 'ordinal', 'text'],
    ]);
    const text = project.read('baseline.json');
    assert.equal(text.split('\n').filter((line) => line.includes('"file"')).length, 4);
    assert.deepEqual(readdirSync(project.folder).sort(), ['a', 'b.js', 'baseline.json', 'eslint.config.mjs']);
    assert.deepEqual(await project.places(BASELINE), []);
    assert.equal((await project.check(BASELINE)).code, 0);
    assert.equal(project.read('baseline.json'), text);
  });

  it('knows findings again whose lines moved or whose code was formatted', async () => {
    using project = await adopted({ 'a.js': IMPORT + start('one', 'a', 'b') });
    project.lay({ 'a.js': `\n// a comment\n${IMPORT}\n${start('one', 'a', 'b').replaceAll('  ', '\t\t')}` });
    assert.deepEqual(await project.places(BASELINE, CI), []);
    project.lay({ 'a.js': IMPORT + start('one', 'a', 'b').replace("'b', []", "'b', ['--flag']") });
    assert.deepEqual(await project.places(BASELINE, CI), [], 'the call was edited');
  });

  it('knows findings again in a file that was renamed', async () => {
    using project = await adopted({ 'a.js': IMPORT + start('one', 'a', 'b'), 'c.js': IMPORT + spawn('c') });
    project.remove('a.js');
    project.lay({ 'lib/there.js': `// moved\n${IMPORT}${start('one', 'a', 'b')}` });
    assert.deepEqual(await project.places(BASELINE, CI), []);
    assert.deepEqual(await project.places(BASELINE), []);
    assert.deepEqual(held(project), ['c.js  1', 'lib/there.js one 1', 'lib/there.js one 2']);
  });

  it('shows a new finding alone, in whatever scope, among its like too', async () => {
    using project = await adopted({ 'a.js': IMPORT + start('one', 'a', 'b') });
    project.lay({ 'a.js': IMPORT + start('one', 'new', 'a', 'b') + start('two', 'a') });
    assert.deepEqual(await project.places(BASELINE), ['a.js:3 one', 'a.js:8 two']);
    assert.equal((await project.check(BASELINE)).code, 1);
    assert.deepEqual(held(project), ['a.js one 1', 'a.js one 2'], 'nothing is added');
  });

  it('lets no mended finding pay for another', async () => {
    using project = await adopted({
      'a.js': IMPORT + start('one', 'a'),
      'b.js': IMPORT + start('two', 'b'),
    });
    project.lay({ 'a.js': IMPORT, 'b.js': IMPORT + start('two', 'b') + start('one', 'a') });
    assert.deepEqual(await project.places(BASELINE, CI), ['b.js:6 one'], 'another file that is known');
    project.lay({ 'b.js': IMPORT + start('two', 'b'), 'c.js': IMPORT + start('one', 'a') });
    assert.deepEqual(await project.places(BASELINE, CI), ['c.js:3 one'], 'a new file, and the old one stays');
    project.remove('a.js');
    project.lay({ 'c.js': IMPORT + start('one', 'other') });
    assert.deepEqual(await project.places(BASELINE, CI), ['c.js:3 one'], 'a new file with other code');
    project.remove('c.js');
    project.lay({ 'b.js': IMPORT + start('two', 'b') + start('one', 'a') });
    assert.deepEqual(await project.places(BASELINE, CI), ['b.js:6 one'], 'a file that is no renamed one');
  });

  it('shrinks where it is run by a person, and never grows back', async () => {
    const files = { 'a.js': IMPORT + start('one', 'a', 'b'), 'b.js': IMPORT + spawn('c') };
    using project = await adopted(files);
    project.lay({ 'a.js': IMPORT + start('one', 'b') });
    project.remove('b.js');
    const { err } = await project.check(BASELINE);
    assert.match(err, /baseline\.json shrank and holds 1/);
    assert.deepEqual(held(project), ['a.js one 1']);
    project.lay(files);
    assert.deepEqual(await project.places(BASELINE), ['a.js:3 one', 'b.js:2']);
  });

  it('is frozen in CI', async () => {
    using project = await adopted({ 'a.js': IMPORT + start('one', 'a', 'b') });
    const before = project.read('baseline.json');
    project.lay({ 'a.js': IMPORT });
    const { code, err } = await project.check(BASELINE, CI);
    assert.equal(code, 0);
    assert.match(err, /holds what is gone/);
    assert.equal(project.read('baseline.json'), before);
    project.remove('baseline.json');
    project.lay({ 'a.js': IMPORT + spawn('a') });
    const missing = await project.check(BASELINE, CI);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /is not there: all findings are new/);
    assert.deepEqual(readdirSync(project.folder), ['a.js']);
    assert.match((await project.check(BASELINE, { CI: 'false' })).err, /was made/);
  });

  it('keeps what a run did not look at: other folders, files that do not parse', async () => {
    using project = await adopted({ 'src/a.js': IMPORT + spawn('a'), 'lib/b.js': IMPORT + spawn('b') });
    const before = project.read('baseline.json');
    assert.deepEqual(await project.places([...BASELINE, 'src']), [], 'names are those of the baseline');
    assert.equal(project.read('baseline.json'), before);
    project.lay({ 'lib/b.js': 'let = ;\n' });
    assert.deepEqual(await project.places(BASELINE), ['lib/b.js:1']);
    assert.equal(project.read('baseline.json'), before);
    project.remove('lib/b.js');
    await project.check([...BASELINE, 'src']);
    assert.equal(project.read('baseline.json'), before, 'a file of another folder may have been renamed');
  });

  it('holds a file that does not parse', async () => {
    using project = await adopted({ 'a.js': 'let = ;\n' });
    assert.deepEqual(await project.places(BASELINE), []);
    project.lay({ 'b.js': 'let = ;\n' });
    assert.deepEqual(await project.places(BASELINE), ['b.js:1']);
  });

  it('has at most --max entries', async () => {
    using project = new CheckProject({ 'a.js': IMPORT + spawn('a') });
    const none = [...BASELINE, '--max', '0'];
    assert.deepEqual(await project.places(none), ['a.js:2'], 'none is made that is too big');
    assert.deepEqual(readdirSync(project.folder), ['a.js']);
    await project.check(BASELINE);
    const { code, err, out } = await project.check(none);
    assert.equal(code, 1);
    assert.match(err, /The baseline has 1, at most 0 allowed/);
    assert.match(out, /No findings/);
    assert.equal((await project.check([...BASELINE, '--max', '1'])).code, 0);
    project.lay({ 'a.js': IMPORT });
    assert.equal((await project.check(none)).code, 0);
    assert.equal(project.read('baseline.json'), '{\n  "version": 1,\n  "findings": []\n}\n');
    await assert.rejects(project.check(['--max', '0']), /--max is about the baseline/);
    await assert.rejects(project.check([...BASELINE, '--max', '1.5']), /--max takes a whole number/);
  });

  it('refuses a file of a newer version, and what is no baseline', async () => {
    using project = new CheckProject({ 'a.js': IMPORT + spawn('a') });
    const cases: [text: string, message: RegExp][] = [
      ['{ "version": 2, "findings": [] }', /has version 2, and this owned-spawn knows up to 1/],
      ['{ "findings": [] }', /is no baseline: it needs "version": 1/],
      ['{ "version": 1, "findings": [{ "file": "a.js" }] }', /is no baseline/],
      ['null', /is no baseline/],
      ['[', /does not parse as JSON/],
    ];
    for (const [text, message] of cases) {
      project.lay({ 'baseline.json': text });
      await assert.rejects(project.check(BASELINE), { name: 'UserError', message });
      assert.equal(project.read('baseline.json'), text);
    }
    await assert.rejects(project.check(['--baseline', '.']), /cannot be read: EISDIR/);
    await assert.rejects(project.check(['--baseline', 'no/b.json']), /cannot be written: ENOENT/);
  });
});
