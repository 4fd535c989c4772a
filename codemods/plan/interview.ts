import { createInterface } from 'node:readline/promises';
import { coloured } from 'eslint-plugin-owned-spawn/api';
import { UserError, type Terminal } from 'owned-spawn/cli';
import { placeText, type SetOverview } from '../report/overview.ts';
import type { Plan } from './plan.ts';

type Decisions = NonNullable<Plan['decisions']>;

const HELP = `y  migrate this set
n  leave it
a  migrate it and all that follow
d  leave it and all that follow
q  ask no more: what is undecided is left for the next run
`;

/** Asks a question on the terminal. */
export type Ask = (question: string) => Promise<string>;

/**
 * Shows the sets that nobody has decided about, and asks for each: y, n, a(ll), d(one: no to the rest), q(uit).
 * @returns the decisions, with those that there were; what was not decided is in none of them
 */
export async function interview(
  sets: readonly SetOverview[],
  known: Readonly<Decisions>,
  ask: Ask,
  out: Terminal,
): Promise<Decisions> {
  const decisions: Decisions = { ...known };
  const open = sets.filter(({ name }) => !Object.hasOwn(known, name));
  let forAll: 'yes' | 'no' | undefined;
  for (const [i, { name, sites, notes, diffs }] of open.entries()) {
    if (forAll) {
      decisions[name] = forAll;
      continue;
    }
    for (const { diff } of diffs) out.write(out.colour ? coloured(diff, out) : diff);
    for (const site of sites) out.line(out.dim(`${placeText(site)}  ${site.callee}`));
    for (const note of notes) out.line(out.yellow(note));
    let answer = '';
    while (!/^[ynadq]$/.test(answer)) {
      answer = (await ask(out.bold(`Migrate ${name} (${i + 1} of ${open.length})? [y,n,a,d,q,?] `)))
        .trim()
        .toLowerCase();
      if (!/^[ynadq]$/.test(answer)) out.write(HELP);
    }
    if (answer === 'q') break;
    decisions[name] = answer === 'y' || answer === 'a' ? 'yes' : 'no';
    if (answer === 'a') forAll = 'yes';
    if (answer === 'd') forAll = 'no';
  }
  return decisions;
}

/**
 * Asks on the terminal that this process has.
 * @throws {UserError} where it has none
 */
export async function onTerminal<T>(signal: AbortSignal, work: (ask: Ask) => Promise<T>): Promise<T> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UserError(
      '--interactive needs a terminal to ask on',
      'Without one, take a part by --only and --skip, or write the decisions into the plan (--plan FILE).',
    );
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    // The end of the input is an answer too.
    return await work(async (question) => {
      const ended = new Promise<string>((resolve) =>
        lines.once('close', () => {
          resolve('q');
        }),
      );
      return Promise.race([lines.question(question, { signal }), ended]);
    });
  } finally {
    lines.close();
  }
}
