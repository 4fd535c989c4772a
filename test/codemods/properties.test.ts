import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from '@typescript-eslint/parser';
import { applyEdits, parseModule, type Edit } from 'eslint-plugin-owned-spawn/api';
import { planText, type PlanOptions } from '../../codemods/plan/plan-text.ts';
import type { PlannedEdit } from '../../codemods/plan/plan.ts';

const OWN: PlanOptions = { outliving: 'own', markers: false, todos: false };
const MARKERS: PlanOptions = { outliving: 'leave', markers: true, todos: true };

/** The tokens of a program that starts detached children; what is optional in a list is drawn. */
const importForms: readonly (readonly string[])[] = [
  ['import', '{', 'spawn', '}', 'from', "'child_process'", ';'],
  ['import', '{', 'exec', ',', 'spawn', '}', 'from', '"node:child_process"', ';'],
  ['import', '{', 'spawn', ',', 'exec', ',', '}', 'from', "'child_process'", ';'],
  ['import', '{', 'exec', ',', 'spawn', ',', 'execFile', '}', 'from', "'child_process'", ';'],
  ['import', 'cp', ',', '{', 'spawn', '}', 'from', "'child_process'", ';', 'cp', ';'],
  [
    'import',
    '{',
    'spawn',
    '}',
    'from',
    "'child_process'",
    ';',
    'import',
    '{',
    'killOwned',
    '}',
    'from',
    "'owned-spawn'",
    ';',
  ],
  ['const', '{', 'spawn', '}', '=', 'require', '(', "'child_process'", ')', ';'],
  ['const', '{', 'spawn', ',', 'exec', '}', '=', 'require', '(', "'child_process'", ')', ';'],
  ['var', 'spawn', '=', 'require', '(', '"child_process"', ')', '.', 'spawn', ',', 'other', '=', '1', ';'],
];

const property = ['detached', ':', 'true'];
const optionForms: readonly (readonly string[])[] = [
  ['{', ...property, '}'],
  ['{', ...property, ',', '}'],
  ['{', ...property, ',', 'stdio', ':', "'ignore'", '}'],
  ['{', 'stdio', ':', "'ignore'", ',', ...property, '}'],
  ['{', 'stdio', ':', "'ignore'", ',', ...property, ',', '}'],
  ['{', 'cwd', ':', "'\u2028'", ',', ...property, ',', '...', 'more', '}'],
  ['{', 'detached', ':', '!', 'isWindows', ',', 'env', ':', '{', 'A', ':', '`x\ny`', '}', '}'],
];

const callForms = (options: readonly string[]): readonly (readonly string[])[] => [
  ['spawn', '(', "'x'", ',', ...options, ')', ';'],
  ['const', 'child', '=', 'spawn', '(', "'x'", ',', '[', "'\u2028'", ']', ',', ...options, ')', ';'],
  ['const', 'o', '=', ...options, ';', 'spawn', '(', "'x'", ',', 'o', ')', ';'],
  ['spawn', '(', "'x'", ',', '[', ']', ',', ...options, ',', ')', '.', 'unref', '(', ')', ';'],
  ['if', '(', 'more', ')', '{', 'spawn', '(', "'x'", ',', ...options, ')', '}'],
];

const HEAD = [
  'const',
  'isWindows',
  '=',
  'process',
  '.',
  'platform',
  '===',
  "'win32'",
  ';',
  'const',
  'more',
  '=',
  '{',
  '}',
  ';',
];

const eols = fc.constantFrom('\n', '\r\n', '\r\n', '\u2028');
const comment = fc.constantFrom('c', ' why', ' detached: true', ' spawn(');

/** What may stand between two tokens. */
const gap = (eol: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(' ') },
    { weight: 2, arbitrary: fc.constantFrom('  ', '\t') },
    {
      weight: 3,
      arbitrary: fc.tuple(eol, fc.constantFrom('', '  ', '\t', '    ')).map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: comment.map((text) => ` /*${text}*/ `) },
    { weight: 1, arbitrary: fc.tuple(comment, eol).map(([text, end]) => ` //${text}${end}`) },
    { weight: 1, arbitrary: fc.tuple(comment, eol).map(([text, end]) => `/*${end}${text}*/`) },
  );

const join = (tokens: readonly string[], gaps: readonly string[]): string =>
  tokens.map((token, i) => token + (gaps[i] ?? '')).join('');

/** A program in some layout: line ends of one kind or mixed, comments in every gap. */
const program = fc
  .tuple(
    fc.constantFrom(...importForms),
    fc.constantFrom(...optionForms).chain((options) => fc.constantFrom(...callForms(options))),
    fc.constantFrom('', '\uFEFF'),
    fc.constantFrom('', '#!/usr/bin/env node'),
    fc.oneof(fc.constant(fc.constant('\n')), fc.constant(fc.constant('\r\n')), fc.constant(eols)),
    fc.boolean(),
  )
  .chain(([imports, call, bom, shebang, eol, ends]) => {
    const tokens = [...HEAD, ...imports, ...call];
    return fc
      .tuple(fc.array(gap(eol), { minLength: tokens.length, maxLength: tokens.length }), eol)
      .map(([gaps, end]) => {
        const first = shebang === '' ? '' : shebang + (end === '\u2028' ? '\n' : end);
        const last = ends ? end : '';
        // A byte order mark in front of a shebang is no program for Node; the two are not drawn together.
        return (shebang === '' ? bom : '') + first + join(tokens, [...gaps.slice(0, -1), last]);
      });
  });

/** The edits that take a text back to what it was. */
function reverted(edits: readonly PlannedEdit[]): Edit[] {
  let shift = 0;
  return edits.map(({ start, end, text, old }) => {
    const at = start + shift;
    shift += text.length - (end - start);
    return { start: at, end: at + text.length, text: old };
  });
}

const comments = (text: string): string[] => parseModule(text, 'x.js').comments.map(({ value }) => value);

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

describe('whatever the layout of a file', () => {
  it('its detached spawn is owned, and nothing outside the edits changes', () => {
    fc.assert(
      fc.property(program, (source) => {
        const before = withoutMark(source);
        const { edits, sites } = planText(source, 'x.js', OWN);
        const after = applyEdits(before, edits);
        assert.deepEqual(
          sites.map(({ status }) => status),
          ['migrate'],
        );
        assert.equal(applyEdits(after, reverted(edits)), before);
        assert.deepEqual(comments(after), comments(before), 'every comment stays, in its order');
        const words = parse(after, { tokens: true }).tokens.map(({ value }) => value);
        assert.ok(!words.includes('detached'));
        assert.ok(words.includes('spawnOwned'));
        assert.equal(words.join(' ').split('owned-spawn').length, 2, 'one import');
        if (!before.replaceAll('\r\n', '').replace('x\ny', '').includes('\n'))
          assert.ok(!after.replaceAll('\r\n', '').replace('x\ny', '').includes('\n'), 'CRLF stays CRLF');
        if (!before.includes('\r')) assert.ok(!after.includes('\r'), 'LF stays LF');
        assert.deepEqual(planText(after, 'x.js', OWN).edits, [], 'a second run changes nothing');
      }),
      { numRuns: 400 },
    );
  });

  it('comments above what is left alone are the only change, and come once', () => {
    fc.assert(
      fc.property(program, (source) => {
        const before = withoutMark(source);
        const { edits } = planText(source, 'x.js', MARKERS);
        const after = applyEdits(before, edits);
        assert.equal(applyEdits(after, reverted(edits)), before);
        assert.deepEqual(planText(after, 'x.js', MARKERS).edits, []);
      }),
      { numRuns: 200 },
    );
  });
});
