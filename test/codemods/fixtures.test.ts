import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import { planText, type PlanOptions } from '../../codemods/plan/plan-text.ts';

// Pairs of files: `own/x.input.ts` and `own/x.expected.ts`. The expected file ends in what is said of each site.
// UPDATE_FIXTURES=1 writes the expected files: read their diff.
const root = join(import.meta.dirname, 'fixtures');

const OPTIONS: Readonly<Record<string, PlanOptions>> = {
  own: { outliving: 'own', markers: false, todos: false },
  leave: { outliving: 'leave', markers: false, todos: false },
  detach: { outliving: 'detach', markers: false, todos: false },
  markers: { outliving: 'leave', markers: true, todos: true },
};

function migrated(text: string, name: string, options: PlanOptions): { code: string; said: string } {
  const { edits, sites } = planText(text, name, options);
  const lines = sites.map(
    ({ line, column, status, reason, notes }) =>
      `//! ${line}:${column} ${[status, reason, ...(notes ?? [])].filter(Boolean).join(' ')}\n`,
  );
  return { code: applyEdits(text, edits), said: lines.join('') };
}

for (const [folder, options] of Object.entries(OPTIONS)) {
  describe(`fixtures, ${folder}`, () => {
    for (const input of readdirSync(join(root, folder)).filter((name) => name.includes('.input.'))) {
      const name = input.replace('.input.', '.');
      const expected = join(root, folder, input.replace('.input.', '.expected.'));
      it(name, () => {
        const text = readFileSync(join(root, folder, input), 'utf8');
        const { code, said } = migrated(text, name, options);
        const whole = `${code}${code.endsWith('\n') ? '' : '\n'}${said}`;
        if (process.env.UPDATE_FIXTURES) writeFileSync(expected, whole);
        assert.equal(whole, readFileSync(expected, 'utf8'));
        const again = planText(code, name, options);
        assert.deepEqual(again.edits, [], 'a second run changes nothing');
      });
    }
  });
}
