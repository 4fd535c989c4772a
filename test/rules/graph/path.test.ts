import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pathOf, pathText } from '../../../rules/graph/path.ts';

const steps = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `f${String(at)}`, file: 'a.ts', line: at + 1 }));

it('writes a path with the place of each call', () => {
  assert.equal(
    pathText('handler', [
      { name: 'resolveRoot', file: 'session.ts', line: 43 },
      { name: 'spawnSync', file: 'git.ts', line: 12 },
    ]),
    'handler → resolveRoot (session.ts:43) → spawnSync (git.ts:12)',
  );
});

it('leaves out the middle of a long one, and says how much', () => {
  assert.equal(
    pathText('h', steps(10)),
    'h → f0 (a.ts:1) → f1 (a.ts:2) → f2 (a.ts:3) → f3 (a.ts:4) → 2 calls more → f6 (a.ts:7) → f7 (a.ts:8) → f8 (a.ts:9) → f9 (a.ts:10)',
  );
});

it('reads a path back from a message', () => {
  const message = `\`f0\` blocks the event loop inside async \`h\`: ${pathText('h', steps(3))}, and 2 more paths. Move it.`;
  assert.deepEqual(pathOf(message), { root: 'h', steps: steps(3) });
  assert.equal(pathOf('`a` blocks the event loop inside async `h`. Move it.'), undefined);
});

it('reads what a long path kept', () => {
  const kept = pathOf(`x: ${pathText('h', steps(10))}. Move it.`);
  assert.deepEqual(
    kept?.steps.map(({ line }) => line),
    [1, 2, 3, 4, 7, 8, 9, 10],
  );
});
