import { preferSpawnOwned } from '../../../rules/prefer-spawn-owned.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

const IMPORT = `import { exec, execFile, fork, spawn } from 'node:child_process';`;

ruleTester.run('prefer-spawn-owned', preferSpawnOwned, {
  valid: [
    {
      name: 'owned, or detached: nothing to say, or another rule says it',
      code: `
import { spawnOwned, forkOwned, spawnDetached } from 'owned-spawn';
import { spawn } from 'node:child_process';
class Host {
  start() {
    this.a = spawnOwned('a');
    this.b = forkOwned('b');
    this.c = spawnDetached('c', [], { why: 'shared by all sessions' });
    this.d = spawn('d', [], { detached: true });
    this.e = spawn('e', [], { detached: process.platform !== 'win32' });
  }
}
`,
    },
    {
      name: 'synchronous calls and calls that are no API',
      code: `
import { spawnSync, execSync } from 'node:child_process';
import { sync } from 'cross-spawn';
import { spawn } from './actors.js';
class Host {
  start() {
    this.a = spawnSync('a');
    this.b = execSync('b');
    this.c = sync('c');
    this.d = spawn('d');
  }
}
`,
    },
    {
      name: 'nobody keeps it',
      code: `
${IMPORT}
function notify() {
  spawn('notify-send', ['done']);
  const child = spawn('notify-send', ['done']);
  child.on('error', () => {});
  child.unref();
}
`,
    },
    {
      name: 'collected by a callback',
      code: `
${IMPORT}
class Git {
  log(callback) {
    this.a = execFile('git', ['log'], (error, stdout) => this.show(stdout));
    this.b = exec('git log', callback);
  }
}
`,
    },
    {
      name: 'awaited',
      code: `
import { execa } from 'execa';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { spawn } from 'node:child_process';
class Build {
  async run() {
    this.a = await execa('tsc');
    const b = (this.b = execa('tsc'));
    await b;
    const c = (this.c = spawn('tsc'));
    await once(c, 'exit');
    const d = (this.d = spawn('tsc'));
    await Promise.all([text(d.stdout), waitForExit(d)]);
    const e = (this.e = spawn('tsc'));
    for await (const line of e.stdout) console.log(line);
    this.f = execa('tsc').then(() => 'built');
  }
}
`,
    },
    {
      name: 'its end settles a promise',
      code: `
${IMPORT}
class Build {
  run() {
    return new Promise((resolve, reject) => {
      this.child = spawn('tsc');
      this.child.on('error', reject);
      this.child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(code))));
    });
  }
  runDirectly() {
    return new Promise((resolve) => {
      this.child = spawn('tsc').once('exit', resolve);
    });
  }
  runByOutput() {
    return new Promise((resolve) => {
      this.child = spawn('tsc');
      this.child.stdout.on('end', () => resolve());
    });
  }
  runBySettler() {
    let done;
    const finished = new Promise((resolve) => {
      done = resolve;
    });
    this.child = spawn('tsc');
    const finish = (code) => {
      if (code === 0) done(code);
    };
    this.child.on('close', (code) => finish(code));
    return finished;
  }
}
`,
    },
    {
      name: 'its end calls back',
      code: `
${IMPORT}
class Build {
  run(done, onComplete) {
    this.a = spawn('tsc');
    this.a.on('close', done);
    this.b = spawn('tsc');
    this.b.on('close', (code) => onComplete(code));
  }
}
`,
    },
    {
      name: 'its end is the end of the program',
      code: `
${IMPORT}
const state = {};
function main() {
  state.child = spawn('tool', process.argv.slice(2), { stdio: 'pipe' });
  state.child.on('exit', (code) => process.exit(code));
}
`,
    },
    {
      name: 'the terminal is handed over',
      code: `
${IMPORT}
const options = { stdio: ['inherit', 'pipe', 'pipe'] };
class Shell {
  open() {
    this.a = spawn('bash', [], { stdio: 'inherit' });
    this.b = spawn('bash', [], options);
    this.c = spawn('bash', [], { stdio: [0, 1, 2] });
    this.d = spawn('bash', [], { stdio: [process.stdin, 'pipe', 'pipe'] });
  }
}
`,
    },
    {
      name: 'a time limit',
      code: `
${IMPORT}
class Probe {
  run() {
    this.child = spawn('probe', [], { timeout: 5000 });
  }
}
function probe() {
  const child = spawn('probe');
  setTimeout(() => child.kill(), 5000);
  return { stop: () => child.kill() };
}
`,
    },
    {
      name: 'ended where it is started',
      code: `
${IMPORT}
async function test() {
  const server = spawn('server');
  process.on('exit', () => server.kill());
  await run();
  server.kill();
}
`,
    },
    {
      name: 'killed by a cancellation only',
      code: `
${IMPORT}
function search(token, signal) {
  const child = spawn('rg');
  token.onCancellationRequested(() => child.kill());
  signal.addEventListener('abort', () => child.kill());
  new Promise((resolve) => child.kill());
}
`,
    },
    {
      name: 'in a list of the function itself',
      code: `
${IMPORT}
function all(files) {
  const children = [];
  for (const file of files) children.push(spawn('lint', [file]));
  report(children.length);
}
`,
    },
    {
      name: 'returned, whatever becomes of it',
      code: `
${IMPORT}
export function run(command) {
  const child = spawn(command);
  child.on('error', report);
  return child;
}
`,
    },
    {
      name: 'returned, and counted while it runs',
      code: `
import { execa } from 'execa';
${IMPORT}
const running = new Set();
export function run(command) {
  const child = spawn(command);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
export class Runner {
  run(command) {
    return (this.last = execa(command));
  }
}
`,
    },
    {
      name: 'at the top level, kept in a variable',
      code: `
${IMPORT}
const child = spawn('git', ['log']);
child.stdout.on('data', (data) => console.log(data));
`,
    },
  ],
  invalid: [],
});
