import { readCommands, type ShellCommand, type ShellDialect, type ShellWord } from './shell-words.ts';

/** A stretch of a command line: its text, or a hole that is filled at run time (`${port}`, text = its source). */
export interface ShellPart {
  text: string;
  hole: boolean;
}

/** What leaves a child behind, as a clause for a message, and its offset in the joined texts of the parts. */
export interface LeftChild {
  verdict: 'yes' | 'maybe';
  why: string;
  index: number;
  /** Left by `&`, which means something else in a text that no shell reads. */
  background?: true;
}

/** Stands for each character of a hole: no blank, no quote, no operator, whatever the hole holds. */
const HOLE = '\uFFFC';

/**
 * Whether a command line leaves a child running that nobody waits for.
 *
 * @param parts the command line in order, e.g. the quasis and expressions of a template literal
 * @param dialect the shell that reads it; in cmd.exe `&` only separates commands
 */
export function leavesChild(
  parts: readonly ShellPart[],
  dialect: ShellDialect = 'sh',
): LeftChild | undefined {
  const text = maskHoles(parts);
  return inText(text, isForCmd(text) ? 'cmd' : dialect) ?? inHole(parts, dialect);
}

/** `start` opens something under Windows: only cmd.exe has it. */
const isForCmd = (text: string): boolean => /^\s*start\s/i.test(text);

/**
 * The same for a command given as words without a shell: `spawn('sudo', ['setsid', 'server'])`, `spawn('sh', ['-c', 'server &'])`.
 *
 * @param argv the command and its arguments; `index` of the answer is a position in it
 */
export function argvLeavesChild(argv: readonly (readonly ShellPart[])[]): LeftChild | undefined {
  return inWords(argv.map((parts, index) => ({ text: maskHoles(parts), start: index })));
}

function maskHoles(parts: readonly ShellPart[]): string {
  return parts.map(({ text, hole }) => (hole ? HOLE.repeat(text.length) : text)).join('');
}

/** `${background ? '&' : ''}`: a hole whose source spells the operator out. */
function inHole(parts: readonly ShellPart[], dialect: ShellDialect): LeftChild | undefined {
  const at = parts.findIndex(({ text, hole }) => hole && dialect === 'sh' && /(['"`])\s*&\s*\1/.test(text));
  if (at === -1) return undefined;
  const index = parts.slice(0, at).reduce((sum, { text }) => sum + text.length, 0);
  return { verdict: 'maybe', why: '`&` may be put behind the command', index };
}

function inText(line: string, dialect: ShellDialect): LeftChild | undefined {
  return /[&\s]/.test(line) ? inList(readCommands(line, dialect), line.trimEnd().length) : undefined;
}

/** Goes through the commands of one shell; `end` is where its text ends, for the wording. */
function inList(list: readonly ShellCommand[], end: number): LeftChild | undefined {
  if (list.length === 0) return undefined;
  const killsAtExit = list.some((command) => isKillingTrap(command, list));
  let background: LeftChild | undefined;
  for (const [position, command] of list.entries()) {
    const left = inCommand(command, end);
    if (left) return background ?? left;
    if (command.end === '&' && !killsAtExit) background ??= leftByAmpersand(list, position, end);
    if (isWait(command) || isKill(command)) background = undefined;
  }
  return background;
}

function inCommand(command: ShellCommand, end: number): LeftChild | undefined {
  for (const list of command.nested) {
    const left = inList(list, end);
    if (left) return left;
  }
  return inWords(command.words, command.heredocs);
}

function leftByAmpersand(list: readonly ShellCommand[], position: number, end: number): LeftChild {
  const command = list[position];
  const index = command?.endIndex ?? 0;
  const [program] = programOf(command?.words ?? []);
  const name = program && !/^(?:[})]|done|fi|esac)$/.test(program.text) ? quoteName(program) : 'its commands';
  return {
    verdict: 'yes',
    why: `\`&\`${index >= end - 1 ? ' at the end of the command' : ''} leaves ${name} in the background`,
    index,
    background: true,
  };
}

/** `trap 'kill $!' EXIT`, or a function there while some command kills. POSIX calls the condition `EXIT` or `0`. */
function isKillingTrap({ words }: ShellCommand, list: readonly ShellCommand[]): boolean {
  const [name, action = '', ...conditions] = programOf(words).map(({ text }) => text);
  return (
    name === 'trap' &&
    conditions.some((condition) => /^(?:EXIT|0)$/i.test(condition)) &&
    (/\bp?kill/.test(action) || list.some(isKill))
  );
}

function isKill({ words }: ShellCommand): boolean {
  const [name, first = '-l'] = programOf(words).map(({ text }) => text);
  return name === 'kill' && !/^-[0lL]/.test(first);
}

function isWait({ words }: ShellCommand): boolean {
  return /^(?:wait|fg)$/.test(programOf(words)[0]?.text ?? '');
}

interface Launcher {
  leaves: (args: readonly string[]) => boolean;
  /** The clause of the message; `name` is the program that it starts, in backticks. */
  why: (name: string) => string;
}

const has = (args: readonly string[], pattern: RegExp): boolean => args.some((arg) => pattern.test(arg));

/** Programs that leave by themselves, or that hand what they start to a service. */
const launchers: Record<string, Launcher> = {
  setsid: {
    leaves: (args) => !has(args.slice(0, 1), /^(?:-h|-V|--help|--version)$/),
    why: (name) => `\`setsid\` starts ${name} in a session of its own`,
  },
  nohup: {
    leaves: (args) => !has(args.slice(0, 1), /^--(?:help|version)$/),
    why: (name) => `\`nohup\` keeps ${name} running when its owner hangs up`,
  },
  disown: { leaves: () => true, why: () => '`disown` takes the job away from its shell' },
  daemonize: { leaves: () => true, why: () => '`daemonize` starts its program as a daemon' },
  daemon: {
    leaves: (args) => has(args, /^(?:-[fr]|--)$/),
    why: () => '`daemon` starts its program as a daemon',
  },
  'start-stop-daemon': {
    leaves: (args) => has(args, /^(?:-\w*b\w*|--background)$/),
    why: () => '`start-stop-daemon --background` starts its program as a daemon',
  },
  'systemd-run': {
    // --pty, --pipe and --shell wait as --wait does; with --scope the command stays a child (systemd-run(1)).
    leaves: (args) => !has(args, /^(?:--wait|--pipe|--pty|--shell|--scope|--help|-[PtSh])$/),
    why: () => '`systemd-run` hands its command to systemd',
  },
  launchctl: {
    leaves: ([verb = '']) => /^(?:load|bootstrap|submit|start|kickstart)$/.test(verb),
    why: () => '`launchctl` hands the job to launchd',
  },
  start: {
    leaves: (args) => has(args, /^\/b$/i) && !has(args, /^\/w(?:ait)?$/i),
    why: () => '`start /b` leaves its program in the background',
  },
  screen: {
    // -D -m stays in the foreground (screen(1)).
    leaves: (args) => has(args, /^-\w*dm|^-md/) || (has(args, /^-d$/) && has(args, /^-m$/)),
    why: () => '`screen -dm` starts its program in a session without a terminal',
  },
  tmux: {
    leaves: (args) => {
      const command = args.findIndex((arg) => /^(?:new|new-session)$/.test(arg));
      return command !== -1 && has(args.slice(command), /^-[A-Za-z]*d/);
    },
    why: () => '`tmux new-session -d` hands its program to the server of tmux',
  },
  'start-process': {
    // What it opens by a URL is the user's program.
    leaves: (args) => !has(args, /^-Wait$/i) && !has(args, /^['"]?https?:/),
    why: () => '`Start-Process` starts its program beside PowerShell, which waits for it only with `-Wait`',
  },
  at: {
    leaves: (args) => has(args, /^(?:now|midnight|noon|teatime|tomorrow|\d{1,2}:\d\d)$/),
    why: () => '`at` hands the command to its daemon',
  },
};

interface Prefix {
  /** Its options that take the next word as their value. */
  valued: RegExp;
  /** How many words stand between its options and the program. */
  operands?: number;
  /** Its options with which it only tells about the program. */
  tells?: RegExp;
}

/** Programs that start the program named behind them. */
const prefixes: Record<string, Prefix> = {
  sudo: { valued: /^-[CDghpRrtTuU]$/, tells: /^-(?:l|v|-list|-validate)$/ },
  doas: { valued: /^-[Cu]$/ },
  env: { valued: /^-[uC]$/ },
  exec: { valued: /^-a$/ },
  command: { valued: /^$/, tells: /^-[vV]$/ },
  builtin: { valued: /^$/ },
  nice: { valued: /^-n$/ },
  ionice: { valued: /^-[cn]$/ },
  time: { valued: /^-[fo]$/ },
  timeout: { valued: /^-[ks]$/, operands: 1 },
  stdbuf: { valued: /^-[ioe]$/ },
  caffeinate: { valued: /^-[tw]$/ },
  xargs: { valued: /^-[adEILnPs]$/ },
};

const reserved = /^(?:if|then|elif|else|while|until|do|time|!|\{|\()$/;

/** The words from the program on that a simple command ends up running: `do sudo -u me FOO=1 server` → `server`. */
function programOf(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while (/^\w+=/.test(words[at]?.text ?? '') || reserved.test(words[at]?.text ?? '')) at += 1;
  const prefix = row(prefixes, baseName(words[at]?.text));
  return prefix ? programOf(behind(words.slice(at + 1), prefix)) : words.slice(at);
}

/** What follows the options, their values and the operands of a prefix. */
function behind(words: readonly ShellWord[], { valued, operands = 0, tells }: Prefix): readonly ShellWord[] {
  let at = 0;
  for (let text = words[at]?.text; text?.startsWith('-'); text = words[at]?.text) {
    if (tells?.test(text)) return [];
    at += valued.test(text) ? 2 : 1;
  }
  return words.slice(at + operands);
}

function inWords(words: readonly ShellWord[], heredocs: readonly string[] = []): LeftChild | undefined {
  const [program, ...args] = programOf(words);
  if (!program) return undefined;
  const name = baseName(program.text);
  const launcher = row(launchers, name.toLowerCase());
  const texts = args.map(({ text }) => text);
  if (launcher?.leaves(texts)) {
    const [started] = programOf(args.slice(texts.findIndex((text) => !text.startsWith('-'))));
    const why = launcher.why(started ? quoteName(started) : 'its program');
    return { verdict: 'yes', why, index: program.start };
  }
  if (name === 'echo' || name === 'printf') return undefined;
  return inScript([program, ...args], heredocs);
}

const shells = /^(?:sh|bash|zsh|dash|ksh|ash|fish)$/;
const ssh: Prefix = { valued: /^-[BbcDEeFIiJLlmOoPpQRSWw]$/, operands: 1 };

/** A command line for another shell among the words, wherever it runs: `docker exec web sh -c 'server &'`, `ssh host 'server &'`. */
function inScript(words: readonly ShellWord[], heredocs: readonly string[]): LeftChild | undefined {
  const program = baseName(words[0]?.text);
  const rest = words.slice(1);
  const scripts = [
    ...words.map(({ text }, position) => scriptOf(baseName(text), words.slice(position + 1))),
    program === 'ssh' ? joined(behind(rest, ssh)) : undefined,
    program === 'eval' ? joined(rest) : undefined,
    program === 'ssh' || shells.test(program)
      ? joined(heredocs.map((text) => ({ text, start: 0 })))
      : undefined,
  ];
  for (const script of scripts) {
    const left = script && inText(script.text, script.dialect);
    if (left) return { ...left, index: script.start };
  }
  return undefined;
}

interface Script extends ShellWord {
  dialect: ShellDialect;
}

/**
 * What a shell is told to run: the word behind the flag that holds a `c` (`-c`, `-lc`, su's `--command`), the rest for
 * cmd.exe and PowerShell.
 */
function scriptOf(shell: string, words: readonly ShellWord[]): Script | undefined {
  if (/^cmd$/i.test(shell) && /^\/[ck]$/i.test(words[0]?.text ?? '')) return joined(words.slice(1), 'cmd');
  if (/^(?:powershell|pwsh)$/i.test(shell)) {
    // `&` calls there, so that cmd.exe's reading, where it only separates, fits.
    const flag = words.findIndex(({ text }) => /^[-/]c(?:ommand)?$/i.test(text));
    return flag === -1 ? undefined : joined(words.slice(flag + 1), 'cmd');
  }
  if (!shells.test(shell) && shell !== 'su') return undefined;
  const flag = words.findIndex(({ text }) => /^(?:-[a-z]*c|--command)$/.test(text));
  const script = flag === -1 ? undefined : words[flag + 1];
  return script && { ...script, dialect: 'sh' };
}

function joined(words: readonly ShellWord[], dialect: ShellDialect = 'sh'): Script {
  return { text: words.map(({ text }) => text).join(' '), start: words[0]?.start ?? 0, dialect };
}

function baseName(path = ''): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
}

function row<Row>(table: Record<string, Row>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function quoteName({ text }: ShellWord): string {
  const name = text.replaceAll(new RegExp(`${HOLE}+`, 'g'), '…');
  return `\`${name.length > 40 ? `${name.slice(0, 39)}…` : name}\``;
}
