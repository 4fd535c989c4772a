import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseFlags } from '../../runtime/cli/flags.ts';
import { terminal } from '../../runtime/cli/terminal.ts';
import { command } from '../../runtime/commands/prove.ts';
import type { Outcome } from '../../runtime/prove/outcome.ts';
import { builtRuntime, familyOf, type Family } from './processes.ts';

const PRELUDE = `
  import { spawn } from 'node:child_process';
  import { spawnOwned, spawnDetached } from '${builtRuntime()}';
  const stdio = 'ignore';
  const listen = [new URL('listen.mjs', import.meta.url).pathname];
  const up = () => console.log('up');
  setInterval(() => {}, 60_000);
`;

/** What prove is tried on. Those that start something print "up" once it is there. */
const PROGRAMS = {
  listen: `
    const server = (await import('node:http')).createServer();
    server.listen(0, '127.0.0.1', () => console.log('listening'));
  `,
  leaky: `
    spawn('sleep', ['7101'], { stdio });
    spawn('sh', ['-c', 'sh -c "setsid sleep 7102 & exit" & sleep 0.2'], { stdio });
    spawn('sh', ['-c', 'trap "" TERM; sleep 7103; exit'], { stdio, detached: true });
    spawn('env', ['-i', 'setsid', 'sleep', '7104'], { stdio });
    spawn(process.execPath, listen, { detached: true }).stdout.once('data', up);
  `,
  owned: `
    spawnOwned('sleep', ['7201'], { stdio });
    spawnOwned('sh', ['-c', 'sleep 7202 & sleep 7203; exit'], { stdio });
    spawnOwned(process.execPath, listen).stdout.once('data', up);
  `,
  deliberate: `
    spawnOwned('sleep', ['7301'], { stdio });
    spawnDetached('sh', ['-c', 'sleep 7302 & sleep 7303; exit'], { stdio, why: 'the export must be finished' });
    up();
  `,
  labelled: `
    spawnOwned('sleep', ['7601'], { stdio, label: 'model router' });
    spawnOwned('sh', ['-c', 'setsid sleep 7602 & sleep 7603; exit'], { stdio, label: 'code cells' });
    up();
  `,
  childless: '',
  graceful: `
    const child = spawn('sleep', ['7401'], { stdio });
    process.on('SIGTERM', () => { child.kill(); child.once('exit', () => process.exit(0)); });
    up();
  `,
  // Ends the control, as a cleanup by name does.
  hostile: `
    const { readFileSync, readdirSync } = await import('node:fs');
    const read = (pid, file) => { try { return readFileSync('/proc/' + pid + '/' + file, 'utf8'); } catch { return ''; } };
    for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)))
      if (read(pid, 'stat').split(') ')[1]?.split(' ')[1] === String(process.ppid) && read(pid, 'cmdline').includes('control-owner'))
        process.kill(pid, 'SIGKILL');
    up();
  `,
  stubborn: `process.on('SIGTERM', () => {}); up();`,
  brief: `console.log('cannot go on'); process.exit(3);`,
  chatty: `setInterval(() => console.log('working'), 50);`,
};

/** The command that runs a program. */
export function program(family: Family, name: keyof typeof PROGRAMS): string[] {
  mkdirSync(family.folder, { recursive: true });
  for (const each of ['listen', name] as const)
    writeFileSync(join(family.folder, `${each}.mjs`), `${PRELUDE}${PROGRAMS[each]}`);
  return [process.execPath, join(family.folder, `${name}.mjs`)];
}

/** What a run of prove came to. */
export interface Run {
  code: number;
  out: string;
  err: string;
  /** Of a run with --json. */
  outcome: Outcome;
}

/** Runs prove in this process; nothing may be left when it is over, but what --leave leaves. */
export async function prove(
  t: TestContext,
  flags: readonly string[],
  what: keyof typeof PROGRAMS | readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Run> {
  const family = familyOf(t);
  const words = typeof what === 'string' ? program(family, what) : what;
  const { values, positionals } = parseFlags(command.flags, [...flags, '--', ...words]);
  const text = { out: '', err: '' };
  const sink = (to: keyof typeof text): ReturnType<typeof terminal> =>
    terminal({ write: (part: string) => (text[to] += part) }, {});
  try {
    const code = await command.run(values, positionals, {
      cwd: family.folder,
      env: { ...family.env, ...env },
      out: sink('out'),
      err: sink('err'),
      signal: new AbortController().signal,
    });
    return { code, ...text, outcome: (flags.includes('--json') ? JSON.parse(text.out) : {}) as Outcome };
  } finally {
    if (!flags.includes('--leave')) assert.deepEqual(family.members(), [], 'nothing is left');
  }
}
