import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FAMILIES, measureFamily } from '../helpers/families.ts';

describe('when its owner is killed, of this family nobody is left', () => {
  for (const kind of FAMILIES) {
    test(kind.name, async (t) => {
      const { before, after, controlBefore, controlAfter, notRun } = await measureFamily(kind, t);
      if (notRun !== undefined) {
        t.skip(notRun);
        return;
      }
      assert(kind.endsByItself ?? before > 0, 'the fault shows with child_process');
      assert.equal(after, 0);
      assert(controlBefore >= kind.processes);
      assert.equal(controlAfter, controlBefore, 'another owner of the same kind is untouched');
    });
  }
});
