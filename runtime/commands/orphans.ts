import { clearInterval, setInterval } from 'node:timers';
import { defineCommand } from '../cli/command.ts';
import { EXIT, UserError } from '../cli/exit.ts';
import type { Terminal } from '../cli/terminal.ts';
import { isProcess } from '../process/is-process.ts';
import { listeningPorts } from '../process/ports.ts';
import { usageOf } from '../process/usage.ts';
import { classify, type Finding, type Verdict } from '../ps/classify.ts';
import { commandsOf, survey, type Survey } from '../ps/survey.ts';
import { ageText, memoryText } from '../ps/text.ts';
import { endOrphan } from '../spawn/end-orphan.ts';
import { stateFolder } from '../spawn/state-folder.ts';
import { tidyLedger } from '../spawn/sweep.ts';

/** A finding as `orphans --json` prints it. */
interface Entry {
  verdict: Verdict;
  pid: number;
  pgid: number;
  start: string;
  label: string | null;
  command: string;
  ageSeconds: number;
  memoryKb: number;
  ports: number[];
  evidence: string[];
  /** Whether --kill ended it. */
  ended: boolean;
}

const HEADS: Record<Verdict, string> = {
  orphan: 'Left by an owner that has ended, proved',
  unproved: 'Probably left by an owner that has ended: not proved, never ended by --kill',
  suspect: 'Perhaps left by a program that has ended, whatever started them: never ended by --kill',
  deliberate: 'Outlive their owner on purpose',
};

export const command = defineCommand({
  name: 'orphans',
  summary: 'say what earlier runs left, by what evidence, and end what is proved',
  usage: '[options]',
  flags: {
    kill: { help: 'end what is proved to be left: TERM, its grace, KILL' },
    'dry-run': { help: 'only show it (the default)' },
    json: { help: 'print the findings as JSON' },
  },
  examples: [
    ['owned-spawn orphans', 'what is left, and how that is known'],
    ['owned-spawn orphans --kill', 'end what is proved'],
  ],
  async run(values, rest, { env, out, err, signal }) {
    if (rest.length > 0) throw new UserError('orphans takes no arguments');
    if (process.platform === 'win32') throw new UserError('orphans needs a POSIX system');
    if (values.kill && values['dry-run']) throw new UserError('--kill and --dry-run exclude each other');
    const state = await survey(stateFolder(env));
    const findings = await classify(state);
    const orphans = findings.filter(({ verdict }) => verdict === 'orphan');
    const left = values.kill && !signal.aborted ? await endAll(findings, state) : orphans;
    const entries = toEntries(findings, values.kill === true, left);
    if (values.json) out.line(JSON.stringify(entries, null, 2));
    else show(entries, out);
    for (const { path, problem, corrupt } of state.ledgers) {
      if (problem !== undefined) err.line(err.yellow(`${path} ${problem}`));
      else if (corrupt.length > 0)
        err.line(err.yellow(`${path} has lines that are no rows: ${corrupt.join(', ')}`));
    }
    if (!values.json && orphans.length > 0) {
      if (!values.kill) out.line('\nowned-spawn orphans --kill ends the proved ones.');
      else if (left.length > 0)
        out.line(out.red(`\nCould not end: ${left.map(({ row }) => row.pid).join(' ')}`));
    }
    return left.length > 0 ? EXIT.no : EXIT.ok;
  },
});

/** Ends what is proved; returns what could not be ended. */
async function endAll(findings: readonly Finding[], { ledgers }: Survey): Promise<Finding[]> {
  const hold = setInterval(() => undefined, 60_000);
  try {
    const orphans = new Set(findings.flatMap(({ orphan }) => orphan ?? []));
    await Promise.all([...orphans].map(endOrphan));
    for (const { path, ownerState } of ledgers) {
      if (ownerState.is !== 'gone') continue;
      await tidyLedger(path).catch(() => {
        // Somebody else is at it, or was.
      });
    }
    const left: Finding[] = [];
    for (const finding of findings) {
      if (finding.orphan && (await isProcess(finding.row)) !== 'no') left.push(finding);
    }
    return left;
  } finally {
    clearInterval(hold);
  }
}

function toEntries(findings: readonly Finding[], isKilled: boolean, left: readonly Finding[]): Entry[] {
  const rows = findings.map(({ row }) => row);
  const pids = rows.map(({ pid }) => pid);
  const [commands, usage, ports] = [commandsOf(rows), usageOf(pids), listeningPorts(pids)];
  return findings.map((finding) => {
    const { verdict, row, label = null, evidence } = finding;
    const { pid, pgid, start } = row;
    const { ageSeconds = 0, memoryKb = 0 } = usage.get(pid) ?? {};
    const ended = isKilled && verdict === 'orphan' && !left.includes(finding);
    const command = commands.get(pid) ?? '';
    return {
      verdict,
      pid,
      pgid,
      start,
      label,
      command,
      ageSeconds,
      memoryKb,
      ports: ports.get(pid) ?? [],
      evidence,
      ended,
    };
  });
}

function show(entries: readonly Entry[], out: Terminal): void {
  if (entries.length === 0) {
    out.line('Nothing is left of owners that have ended.');
    return;
  }
  let isFirst = true;
  for (const [verdict, head] of Object.entries(HEADS)) {
    const some = entries.filter((entry) => entry.verdict === verdict);
    if (some.length === 0) continue;
    if (!isFirst) out.line();
    isFirst = false;
    out.line(out.bold(`${head}:`));
    for (const { pid, label, command, ageSeconds, memoryKb, ports, evidence, ended } of some) {
      const text = command.replace(/\s+/g, ' ');
      const name = label === null ? '' : `${label}: `;
      out.line(
        `  ${pid}  ${name}${text.length > 90 ? `${text.slice(0, 89)}…` : text}${ended ? out.green('  ended') : ''}`,
      );
      const facts = [
        ageText(ageSeconds),
        memoryText(memoryKb),
        ports.length > 0 && `port ${ports.join(', ')}`,
      ];
      if (!ended) out.line(out.dim(`      ${facts.filter((fact) => fact !== false).join(', ')}`));
      for (const each of evidence) out.line(`      ${each}`);
    }
  }
}
