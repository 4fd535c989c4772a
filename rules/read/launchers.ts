/** How a program that puts another one into the background is told apart from its harmless uses. */
interface Launcher {
  /** The program's name without folder and `.exe`. */
  program: RegExp;
  /** Whether these arguments leave a process behind. */
  leaves: (args: readonly (string | undefined)[]) => boolean;
}

const has = (...flags: string[]) => {
  const wanted = new Set(flags);
  return (args: readonly (string | undefined)[]) => args.some((arg) => arg !== undefined && wanted.has(arg));
};
const always = () => true;
const text = (args: readonly (string | undefined)[]) => args.map((arg) => arg ?? '').join(' ');

/** Programs that leave their caller's session or outlive it, with what their manuals say about waiting. */
const launchers: readonly Launcher[] = [
  { program: /^(setsid|nohup|daemonize|daemon)$/, leaves: always },
  { program: /^start-stop-daemon$/, leaves: has('--background', '-b') },
  {
    program: /^systemd-run$/,
    // systemd-run(1): these keep the caller attached to the unit.
    leaves: (args) => !has('--wait', '--scope', '--pty', '--pipe', '-t', '-P')(args),
  },
  { program: /^launchctl$/, leaves: has('load', 'start', 'bootstrap', 'kickstart', 'submit') },
  {
    program: /^screen$/,
    leaves: (args) => args.some((arg) => arg !== undefined && /^-[a-z]*d[a-z]*m|^-D$/i.test(arg)),
  },
  { program: /^tmux$/, leaves: (args) => has('new', 'new-session')(args) && has('-d')(args) },
  { program: /^cmd$/, leaves: (args) => has('start')(args) && has('/b', '/B')(args) },
  {
    program: /^(powershell|pwsh)$/,
    leaves: (args) => /\bStart-Process\b/i.test(text(args)) && !/-Wait\b/i.test(text(args)),
  },
];

/** Programs that run the command in the rest of their arguments. */
const prefixes = /^(sudo|doas|env|nice|ionice|stdbuf|exec|command|time|chrt|taskset)$/;

/** The name of a program without its folder and extension. */
export const programName = (word: string) => word.replace(/^.*[\\/]/, '').replace(/\.(exe|cmd|bat)$/i, '');

/** The program in an argument list that leaves its caller; unknown words are `undefined`. */
export function launcherIn(words: readonly (string | undefined)[]): string | undefined {
  for (const [position, word] of words.entries()) {
    if (word === undefined) return undefined;
    const program = programName(word);
    const launcher = launchers.find((each) => each.program.test(program));
    if (launcher?.leaves(words.slice(position + 1))) return program;
    const isFlagOrAssignment = /^-|^[A-Za-z_]\w*=/.test(word);
    if (position === 0 ? !prefixes.test(program) : !isFlagOrAssignment && !prefixes.test(program))
      return undefined;
  }
  return undefined;
}
