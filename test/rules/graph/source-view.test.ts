import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiler } from '../../../rules/graph/compiler.ts';
import { sourceView } from '../../../rules/graph/source-view.ts';

const viewOf = (text: string, name = 'a.mjs') => {
  const ts = compiler();
  return sourceView(ts, ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true));
};

test('waits at the top level of a module that neither imports nor exports', () => {
  const [statement] = viewOf('await (globalThis.ready);')?.ast.body ?? [];
  assert.equal(statement?.type === 'ExpressionStatement' && statement.expression.type, 'AwaitExpression');
});

test('has the comments of a file that TypeScript has read', () => {
  const view = viewOf('// one\nexport const a = /* two */ `${1 /* three */}//`;');
  assert.deepEqual(
    view?.comments.map(({ value }) => value),
    [' one', ' two ', ' three '],
  );
});

test('reads a script that is none in strict mode, and nothing that does not parse', () => {
  assert.equal(viewOf('with (a) b = 010;', 'a.cjs')?.ast.body.length, 1);
  assert.equal(viewOf('const = 1'), undefined);
});
