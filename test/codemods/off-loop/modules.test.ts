import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { compiler, programOf } from 'eslint-plugin-owned-spawn/api';
import { modulesOf, spanKey, spanOf } from '../../../codemods/recipes/off-loop/modules.ts';
import { collectGarbage } from '../../../rules/check/garbage.ts';
import { Project } from '../project.ts';

test('a module goes with the last node that somebody holds, and is read again', async () => {
  using project = new Project({ 'a.js': 'exports.load = () => 1;\n' });
  const file = join(project.folder, 'a.js');
  const ts = compiler();
  const program = programOf(ts, [file]);
  const modules = modulesOf(ts, program.getSourceFile.bind(program), () => undefined);
  let reads = new WeakSet<object>();
  let held: object | undefined;
  const read = (): string => {
    const module = modules.at(file);
    const node = module?.view.ast.body[0];
    assert(module && node);
    reads.add(module.view.ast);
    held = node;
    return spanKey(spanOf(module, node));
  };
  const isSame = (): boolean => reads.has(modules.at(file)?.view.ast ?? {});

  const key = read();
  await collected();
  assert.equal(isSame(), true, 'while a node is held');

  held = undefined;
  await collected();
  assert.equal(isSame(), false, 'once none is');
  reads = new WeakSet();
  assert.equal(read(), key, 'its places stay the same');
  assert.notEqual(held, undefined);
});

/** What a turn of the event loop has read stays until the next. */
async function collected(): Promise<void> {
  await setImmediate();
  collectGarbage();
}
