// Every suggestion that any rule makes for any snippet is applied, and the result is linted again.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import * as parser from '@typescript-eslint/parser';
import { Linter, type Rule } from 'eslint';
import plugin from '../../rules/index.ts';
import { rejected, type Rejected } from '../helpers/rule-tester.ts';

const test = resolve(import.meta.dirname, '..');
const rules = Object.entries(plugin.rules as Record<string, Rule.RuleModule>);

/** Suggestions that leave something for a person to write: the rule must still reject what they leave. */
const skeletons = new Set(['mark']);

/** Core rules that see a broken import or binding. */
const bindings: Linter.RulesRecord = {
  'no-undef': 'error',
  'no-unused-vars': 'error',
  'no-redeclare': 'error',
  'no-const-assign': 'error',
};

function lint({ code, filename = 'a.ts', options = [], rule, settings, languageOptions }: Rejected) {
  const config: Linter.Config = {
    files: ['**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx}'],
    languageOptions: { parser, globals: { require: 'readonly' }, ...languageOptions },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { 'owned-spawn': plugin },
    rules: {
      ...bindings,
      'owned-spawn/valid-marker': 'error',
      [`owned-spawn/${rule}`]: ['error', ...options],
    },
    ...(settings ? { settings } : {}),
  };
  const messages = new Linter({ cwd: '/' }).verify(code, config, { filename });
  const lines = code.split('\n');
  // What only the removed option read is for its author to remove; the import of an API is not.
  const isBroken = ({ ruleId, line }: Linter.LintMessage): boolean =>
    ruleId === 'no-unused-vars'
      ? /child_process|owned-spawn/.test(lines[line - 1] ?? '')
      : ruleId !== null && ruleId in bindings;
  const fault = messages.find(({ fatal, ruleId }) => fatal ?? ruleId === null);
  assert.equal(fault, undefined, `${fault?.message ?? ''}\n${code}`);
  return {
    ours: messages.filter(({ ruleId }) => ruleId === `owned-spawn/${rule}`),
    markers: messages.filter(({ messageId }) => messageId === 'noReason'),
    bindings: messages.filter(isBroken).map(({ message }) => message),
  };
}

/** Files that ESLint rejects, as snippets of a rule. */
function filesIn(folder: string, rule: string): Rejected[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
    .map((name) => ({ rule, filename: name, code: readFileSync(join(folder, name), 'utf8') }));
}

/** The incorrect examples of a rule's page. */
function examplesOf(rule: string): Rejected[] {
  const page = readFileSync(join(test, '../docs/rules', `${rule}.md`), 'utf8');
  return [...page.matchAll(/^```([cm]?[jt]sx?)\b[^\n]*\n([^]*?)^```/gm)].map(([, language, code]) => ({
    rule,
    filename: `a.${language ?? 'ts'}`,
    code: code ?? '',
  }));
}

// The snippets of the rules' own tests, whichever of them runs first.
for (const name of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })) {
  const isOfRule = rules.some(([rule]) => name.startsWith(rule));
  if (isOfRule && name.endsWith('.test.ts')) await import(`./${name}`);
}

const IMPORT = `import { spawn } from 'node:child_process';\n`;

/** Shapes of code that edits have to fit into. */
const shapes = [
  `${IMPORT}export default spawn('a', [], { detached: true });\n`,
  `${IMPORT}const one = 1, child = spawn('a', [], { detached: true });\nuse(one, child);\n`,
  `${IMPORT}if (enabled) spawn('a', [], { detached: true });\nelse other();\n`,
  `${IMPORT}for (const a of list) spawn(a, [], { detached: true });\n`,
  `${IMPORT}const start = (a) => spawn(a, [], { cwd: '/', detached: true });\nstart('a');\n`,
  `${IMPORT}export class A {\n\tchild = spawn('a', [], { detached: true });\n\tgo() {\n\t\treturn spawn('b', { detached: true, stdio: 'ignore' });\n\t}\n}\n`,
  `${IMPORT}switch (a) {\n  case 1:\n    spawn('a', [], { detached: true });\n}\n`,
  `${IMPORT}label: spawn('a', [], { detached: true });\n`,
  `${IMPORT}ready.then(() => spawn('a', [], {\n  // says why\n  detached: true, // in its own session\n}));\n`,
  `${IMPORT}const child = ok\n  ? spawn('a', [], { detached: true })\n  : spawn('b', [], { detached: true });\nuse(child);\n`,
  `${IMPORT}const options = { stdio: 'ignore', detached: true };\nspawn('a', [], options);\nspawn('b', [], options);\n`,
  `${IMPORT}const options = { stdio: 'ignore' };\noptions.detached = true;\nspawn('a', [], options);\n`,
  `${IMPORT}const base = { detached: true };\nspawn('a', [], { ...base, cwd: '/' });\n`,
  `${IMPORT}spawn('a', [], Object.assign({ detached: true }, more));\n`,
  `${IMPORT}const make = () => ({ detached: true });\nspawn('a', [], make());\n`,
  `${IMPORT}export function start({ detached = true } = {}) {\n  return spawn('a', [], { detached });\n}\n`,
  `${IMPORT}spawn('a', [], { detached: process.platform !== 'win32' }).unref();\nspawn('b');\n`,
  `#!/usr/bin/env node\n'use strict';\nconst { spawn } = require('child_process');\nspawn('a', [], { detached: true });\n`,
  `const cp = require("child_process")\nconst child = cp.spawn("a", [], { detached: true })\nuse(child)\n`,
  `var cp = require('child_process'), fs = require('fs');\ncp.spawn('a', [], { detached: true, stdio: ['ignore', fs.openSync('log')] });\n`,
  `import * as cp from 'child_process';\nexport const child = cp.spawn('a', [], { detached: true }), other = cp.exec('b');\n`,
  `import cp, { type ChildProcess } from 'node:child_process';\nexport const child: ChildProcess = cp.fork('a', [], { detached: true });\n`,
  `import { spawn as start, fork } from 'child_process';\nstart('a', [], { detached: true });\nfork('b', { detached: true });\n`,
  `import { spawnOwned } from 'owned-spawn';\nimport { spawn } from 'child_process';\nspawnOwned('a');\nspawn('b', [], { detached: true });\n`,
  `${IMPORT}function spawnOwned() {}\nspawnOwned();\nspawn('a', [], { detached: true });\n`,
  `const { spawn } = await import('node:child_process');\nspawn('a', [], { detached: true });\n`,
  `require('child_process').spawn('a', [], { detached: true });\n`,
  `import { exec, execFile } from 'child_process';\nexec('a', { cwd: '/', detached: true }, done);\nexecFile('a', [], { detached: true });\n`,
  `import { exec } from 'child_process';\nconst options = { detached: true, cwd: '/' };\nexec('a', options);\n`,
  `import { promisify } from 'util';\nimport { exec } from 'child_process';\nconst run = promisify(exec);\nawait run('a', { detached: true });\n`,
  `import { spawnOwned } from 'owned-spawn';\nspawnOwned('a', [], { detached: true });\nspawnOwned('b', [], {\n  cwd: '/',\n  detached: true,\n});\n`,
  `import { execa } from 'execa';\nawait execa('a', { detached: true });\n`,
  `Bun.spawn(['a'], { detached: true });\n`,
  `${IMPORT}let child;\nchild ??= spawn('a', [], { detached: true }); // kept\nprocess.on('SIGTERM', () => { process.kill(-child.pid, 'SIGTERM'); });\n`,
  `import { isWindows } from './os.js';\n${IMPORT}spawn('a', [], { detached: !isWindows });\n`,
  `${IMPORT}export const view = <App onClick={() => spawn('a', [], { detached: true })} />;\n`,
].map((code): Rejected => ({
  rule: 'no-detached-spawn',
  filename: /^<|=> ?<|= </m.test(code) ? 'a.tsx' : /\brequire\(/.test(code) ? 'a.cjs' : 'a.ts',
  code,
}));

const snippets: Rejected[] = [
  ...rejected,
  ...shapes,
  ...rules.flatMap(([rule]) => [
    ...examplesOf(rule),
    ...filesIn(join(test, 'battery'), rule),
    ...filesIn(join(test, 'cases/inputs'), rule),
  ]),
];

/** The same code as other editors save it. */
const variants: Record<string, (code: string) => string> = {
  '': (code) => code,
  ', with CRLF': (code) => code.replaceAll(/\r?\n/g, '\r\n'),
  ', with a byte order mark': (code) => `\uFEFF${code}`,
};

/** Comments, each with how often it occurs. */
function commentsOf(code: string, filename = 'a.ts'): Map<string, number> {
  const { comments } = parser.parse(code, { comment: true, jsx: !/\.[cm]?ts$/.test(filename) });
  const counts = new Map<string, number>();
  for (const { value } of comments) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const count = (list: readonly Linter.LintMessage[], messageId: string | undefined): number =>
  list.filter((message) => message.messageId === messageId).length;

/** Lints a snippet, applies each suggestion by itself, and looks at what came of it; the message ids that occurred. */
function tryAll(snippet: Rejected): string[] {
  const before = lint(snippet);
  const code = snippet.code.replace(/^\uFEFF/, '');
  for (const { messageId, line, endLine = line, suggestions = [] } of before.ours) {
    for (const suggestion of suggestions) {
      const { range, text } = suggestion.fix;
      const fixed = code.slice(0, range[0]) + text + code.slice(range[1]);
      const shown = `${messageId ?? ''}: ${suggestion.desc}\n${code}\n--- becomes\n${fixed}`;
      const after = lint({ ...snippet, code: fixed });
      assert.notEqual(fixed, code, shown);
      assert.deepEqual(newOnes(before.bindings, after.bindings), [], `breaks a binding\n${shown}`);
      if (!/(?<!\r)\n/.test(code)) assert.doesNotMatch(fixed, /(?<!\r)\n/, `mixes line ends\n${shown}`);
      // A marker may go on in the comments below it.
      const spent = suggestion.messageId?.endsWith('Marker') ? endLine - line + 1 : 0;
      const lost = [...commentsOf(code, snippet.filename)].filter(
        ([value, times]) => (commentsOf(fixed, snippet.filename).get(value) ?? 0) < times,
      );
      assert.ok(lost.length <= spent, `loses a comment\n${shown}`);
      if (skeletons.has(suggestion.messageId ?? '')) {
        assert.equal(after.ours.length, before.ours.length, `a skeleton excuses\n${shown}`);
        assert.ok(after.markers.length > before.markers.length, `nothing asks for the reason\n${shown}`);
      } else {
        assert.ok(count(after.ours, messageId) < count(before.ours, messageId), `is not mended\n${shown}`);
        assert.ok(after.ours.length <= before.ours.length, `another fault\n${shown}`);
      }
    }
  }
  const told = before.ours.flatMap(({ messageId, suggestions = [] }) => [
    messageId,
    ...suggestions.map((each) => each.messageId),
  ]);
  return told.filter((id) => id !== undefined);
}

/** Messages that occur more often than before. */
function newOnes(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((message) => {
    const at = left.indexOf(message);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

for (const [rule, { meta }] of rules.filter(([, each]) => each.meta?.hasSuggestions)) {
  describe(`suggestions of ${rule}`, () => {
    const told = new Set<string>();
    let own = snippets.filter((snippet) => snippet.rule === rule);
    for (const [variant, change] of Object.entries(variants)) {
      it(`mend what they are for and nothing else${variant}`, () => {
        const faults: unknown[] = [];
        // What the rule is silent about, it is silent about in every variant.
        own = own.filter((snippet) => {
          try {
            const ids = tryAll({ ...snippet, code: change(snippet.code) });
            for (const id of ids) told.add(id);
            return ids.length > 0;
          } catch (error) {
            return faults.push(error);
          }
        });
        if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('\n\n'));
      });
    }

    it('are tried for every message', () => {
      assert.deepEqual([...told].sort(), Object.keys(meta?.messages ?? {}).sort());
    });
  });
}
