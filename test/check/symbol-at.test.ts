import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Linter } from 'eslint';
import type { TSESLint } from '@typescript-eslint/utils';
import { symbolAt } from '../../rules/read/symbol-at.ts';

/** The scope of the call of `here` in a text. */
function symbolIn(text: string): string {
  const linter = new Linter();
  const [fatal] = linter.verify(text, {}, { filename: 'a.js' });
  assert.equal(fatal, undefined);
  const source = linter.getSourceCode() as unknown as TSESLint.SourceCode;
  return symbolAt(source.getNodeByRangeIndex(text.indexOf('here(')));
}

describe('symbolAt', () => {
  for (const [text, symbol] of [
    ['here()', ''],
    ['if (a) { here() }', ''],
    ['function start() { here() }', 'start'],
    ['function start() { function launch() { here() } }', 'start.launch'],
    ['export default function () { here() }', 'default'],
    ['const start = async () => here()', 'start'],
    ['class Host { #run() { here() } }', 'Host.#run'],
    ['class Host { static start = () => here() }', 'Host.start'],
    ['class Host { get size() { return here() } }', 'Host.size'],
    ['class Host { constructor() { this.stop = () => here() } }', 'Host.constructor.stop'],
    ['const Host = class { run() { here() } }', 'Host.run'],
    ['Host.prototype.run = function () { here() }', 'Host.run'],
    ['exports.run = function () { here() }', 'run'],
    ['module.exports = { run() { here() } }', 'run'],
    ['module.exports = function () { here() }', ''],
    ['const api = { run: () => here() }', 'api.run'],
    ["const api = { 'a-b'() { here() } }", 'api.a-b'],
    ['const options = { pid: here() }', ''],
    ['register({ onStart() { here() } })', 'onStart'],
    ['function start() { list.map(() => here()) }', 'start'],
    ['function start({ run = () => here() }) {}', 'start.run'],
  ] as const) {
    it(`calls the scope of ${text} ${symbol || 'empty'}`, () => {
      assert.equal(symbolIn(text), symbol);
    });
  }
});
