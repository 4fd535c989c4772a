import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sitesOf, isReported } from './sites-of.ts';

describe('owned-spawn', () => {
  it('lets an owned group have something in the background', () => {
    const owned = (call: string) =>
      sitesOf(`import { spawnOwned } from 'owned-spawn';\n${call};`).filter(isReported);
    assert.deepEqual(owned(`spawnOwned('sh', ['-c', 'a & b'])`), []);
    assert.deepEqual(owned(`spawnOwned('sh', ['-c', 'setsid a & b'])`), ['yes shell 2:2']);
  });

  const IMPORT = `import { spawnDetached, spawnOwned } from 'owned-spawn';`;

  it('takes a literal why for an answer', () => {
    assert.deepEqual(sitesOf(`${IMPORT} spawnDetached('a', [], { why: 'the user closes it' });`), [
      'no option 1:1',
    ]);
  });

  it('asks for one that is missing', () => {
    assert.deepEqual(sitesOf(`${IMPORT} spawnDetached('a', []);`).filter(isReported).length, 1);
  });

  it('is silent about spawnOwned', () => {
    assert.deepEqual(sitesOf(`${IMPORT} spawnOwned('a', [], {});`).filter(isReported), []);
  });
});
