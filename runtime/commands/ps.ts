import { setTimeout as pause } from 'node:timers/promises';
import { defineCommand } from '../cli/command.ts';
import { EXIT, UserError } from '../cli/exit.ts';
import { table, type Terminal } from '../cli/terminal.ts';
import { listeningPorts } from '../process/ports.ts';
import { usageOf } from '../process/usage.ts';
import { forest, type Node } from '../ps/forest.ts';
import { ageText, memoryText } from '../ps/text.ts';
import { commandsOf, survey } from '../ps/survey.ts';
import { stateFolder } from '../spawn/state-folder.ts';

/** A process as `ps --json` prints it. */
interface Entry extends Omit<Node, 'children' | 'label' | 'why' | 'app'> {
  label: string | null;
  why: string | null;
  app: string | null;
  command: string;
  ageSeconds: number | null;
  memoryKb: number | null;
  ports: number[];
  children: Entry[];
}

export const command = defineCommand({
  name: 'ps',
  summary: 'show owners, what they own, and why the rest may outlive them',
  usage: '[options]',
  flags: {
    json: { help: 'print the trees as JSON (with --watch one document a line)' },
    watch: { help: 'show it again every two seconds' },
  },
  examples: [
    ['owned-spawn ps', 'who started what on this machine'],
    ['owned-spawn ps --json', 'the same for a script'],
  ],
  async run(values, rest, { env, out, signal }) {
    if (rest.length > 0) throw new UserError('ps takes no arguments');
    if (process.platform === 'win32') throw new UserError('ps needs a POSIX system');
    for (;;) {
      const entries = await look(stateFolder(env));
      if (values.watch && !values.json && out.colour) out.write('\u001b[H\u001b[2J');
      if (values.json) out.line(JSON.stringify(entries, null, values.watch ? 0 : 2));
      else show(entries, out);
      if (!values.watch || signal.aborted) return EXIT.ok;
      await pause(2000, undefined, { signal });
    }
  },
});

async function look(folder: string): Promise<Entry[]> {
  const state = await survey(folder);
  const trees = forest(state);
  const rows = flat(trees).flatMap(({ pid }) => state.processes.get(pid) ?? []);
  const pids = rows.map(({ pid }) => pid);
  const [commands, usage, ports] = [commandsOf(rows), usageOf(pids), listeningPorts(pids)];
  const toEntry = ({ children, ...node }: Node): Entry => {
    const isGone = node.role === 'gone';
    const { ageSeconds = null, memoryKb = null } = (isGone ? undefined : usage.get(node.pid)) ?? {};
    return {
      ...node,
      label: node.label ?? null,
      why: node.why ?? null,
      app: node.app ?? null,
      command: isGone
        ? ''
        : node.role === 'supervisor'
          ? 'owned-spawn supervisor'
          : (commands.get(node.pid) ?? ''),
      ageSeconds,
      memoryKb,
      ports: isGone ? [] : (ports.get(node.pid) ?? []),
      children: children.map(toEntry),
    };
  };
  return trees.map(toEntry);
}

const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)]);

function show(entries: readonly Entry[], out: Terminal): void {
  if (entries.length === 0) {
    out.line('No process here was started by owned-spawn, and none uses it.');
    return;
  }
  const head = ['pid', 'pgid', 'age', 'memory', 'ports', 'role', 'label', 'command'].map(out.bold);
  const rows = entries.flatMap((entry) => lines(entry, '', '', out));
  for (const line of table([head, ...rows], [0, 1, 2, 3])) out.line(line.trimEnd());
}

const LONGEST = 80;

function lines(entry: Entry, first: string, rest: string, out: Terminal): string[][] {
  const { pid, pgid, role, label, why, app, command, ageSeconds, memoryKb, ports, children } = entry;
  const text =
    role === 'gone'
      ? `owner ${pid}, which has ended${app === null ? '' : `: ${app}`}`
      : command.replace(/\s+/g, ' ');
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  const line =
    role === 'gone'
      ? ['', '', '', '', '', out.yellow(role), '', first + shown]
      : [
          String(pid),
          String(pgid),
          ageSeconds === null ? '-' : ageText(ageSeconds),
          memoryKb === null ? '-' : memoryText(memoryKb),
          ports.join(' ') || '-',
          paint(role, out),
          label ?? '-',
          `${first}${shown}${why === null ? '' : out.dim(` (${why})`)}`,
        ];
  const below = children.flatMap((child, at) => {
    const isLast = at === children.length - 1;
    return lines(child, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`, out);
  });
  return [line, ...below];
}

function paint(role: Entry['role'], out: Terminal): string {
  if (role === 'outlives' || role === 'released') return out.yellow(role);
  return role === 'owner' ? out.bold(role) : role;
}
