import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { interview } from '../../codemods/plan/interview.ts';
import type { SetOverview } from '../../codemods/report/overview.ts';
import { terminal } from 'owned-spawn/cli';
import { Project } from './project.ts';

const SETS: SetOverview[] = ['a', 'b', 'c', 'd'].map((name) => ({
  name,
  sites: [],
  notes: [`look at ${name}`],
  diffs: [{ file: name, diff: `+${name}\n` }],
}));

/** Answers in turn; what was shown, and what was decided. */
async function asked(answers: string[], known: Record<string, 'yes' | 'no'> = {}): Promise<[object, string]> {
  let shown = '';
  const out = terminal({ write: (text: string) => (shown += text) }, {});
  const decisions = await interview(
    SETS,
    known,
    (question) => {
      shown += question;
      return Promise.resolve(answers.shift() ?? 'q');
    },
    out,
  );
  assert.deepEqual(answers, [], 'all answers were asked for');
  return [decisions, shown];
}

describe('--interactive', () => {
  it('asks for each set, with its diff and notes', async () => {
    const [decisions, shown] = await asked(['y', 'n', 'N ', 'Y']);
    assert.deepEqual(decisions, { a: 'yes', b: 'no', c: 'no', d: 'yes' });
    assert.match(shown, /\+b\nlook at b\nMigrate b \(2 of 4\)\? \[y,n,a,d,q,\?\] /);
  });

  it('takes all or none of the rest, and quits', async () => {
    assert.deepEqual((await asked(['n', 'a']))[0], { a: 'no', b: 'yes', c: 'yes', d: 'yes' });
    assert.deepEqual((await asked(['y', 'd']))[0], { a: 'yes', b: 'no', c: 'no', d: 'no' });
    assert.deepEqual((await asked(['y', 'q']))[0], { a: 'yes' });
  });

  it('explains the answers', async () => {
    const [decisions, shown] = await asked(['?', 'what', 'q']);
    assert.deepEqual(decisions, {});
    assert.equal(shown.split('y  migrate this set').length, 3);
  });

  it('asks only about what is not decided', async () => {
    assert.deepEqual((await asked(['n', 'y'], { b: 'yes', d: 'no' }))[0], {
      a: 'no',
      b: 'yes',
      c: 'yes',
      d: 'no',
    });
  });

  it('needs a terminal', async () => {
    using project = new Project({ 'a.mjs': '' });
    const { code, stderr } = await project.migrate('-i');
    assert.equal(code, 2);
    assert.match(stderr, /--interactive needs a terminal to ask on\nWithout one, /);
  });
});
