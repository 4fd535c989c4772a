import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { intentOf } from '../../../rules/read/intent.ts';
import { parseModule } from '../../../rules/read/module-view.ts';
import { findSpawns } from '../../../rules/read/spawns.ts';

/** What each site of a module is for, in the order of the text. */
function intentsOf(code: string): string[] {
  const view = parseModule(`import { spawn } from 'node:child_process';\n${code}`, 'a.ts');
  return findSpawns(view).map((site) => intentOf(view, site).kind);
}

describe('a group kill', () => {
  it('in an exit handler tells of its own child only', () => {
    const code = `
const server = spawn('a', [], { detached: true });
process.on('exit', () => process.kill(-server.pid));
const job = spawn('b', [], { detached: true });
job.unref();`;
    assert.deepEqual(intentsOf(code), ['convenience', 'outlives']);
  });

  it('tells of the field that holds its child, by a pid that is taken out of it too', () => {
    const code = `
class Runner {
  server = null;
  go() {
    this.server = spawn('a', [], { detached: true });
    this.job = spawn('b', [], { detached: true });
    this.job.unref();
    process.once('SIGTERM', () => {
      const { pid } = this.server;
      process.kill(-pid, 'SIGTERM');
    });
  }
}`;
    assert.deepEqual(intentsOf(code), ['convenience', 'outlives']);
  });

  it('outside of handlers tells of its own child too', () => {
    const code = `
const server = spawn('a', [], { detached: true });
const other = spawn('b', [], { detached: true });
export const stop = () => process.kill(-other.pid!);`;
    assert.deepEqual(intentsOf(code), ['accident', 'convenience']);
  });

  it('outweighs `.unref()` where the child may be any: from a list, a function or a parameter', () => {
    const start = `const child = spawn('a', [], { detached: true });\nchild.unref();`;
    const killed = [
      `${start}\nconst children = new Set([child]);
process.on('exit', () => { for (const each of children) process.kill(-each.pid); });`,
      `function launch() { ${start} return child; }
const server = launch();
process.on('exit', () => process.kill(-server.pid));`,
      `${start}\nprocess.on('exit', () => end(child));
function end(each) { process.on('SIGTERM', () => process.kill(-each.pid)); }`,
    ];
    for (const code of killed) assert.deepEqual(intentsOf(code), ['convenience'], code);
  });
});

describe('a group kill of children from a list', () => {
  const killAll = `
const children = new Map();
process.on('SIGINT', () => { for (const [, child] of children) process.kill(-child.pid); });`;

  it('tells nothing of a child that nobody else can have', () => {
    const kept = [
      `export const open = (url) => spawn('xdg-open', [url], { detached: true }).unref();`,
      `export function open(url) { spawn('xdg-open', [url], { detached: true }).on('error', () => {}).unref(); }`,
      `export function start(script) {
  const child = spawn(script, [], { detached: true });
  child.unref();
  return child.pid;
}`,
    ];
    for (const code of kept) assert.deepEqual(intentsOf(`${killAll}\n${code}`), ['outlives'], code);
  });

  it('tells of a child that is put into it, handed on or returned', () => {
    const shared = [
      `export function start(name) { const child = spawn(name, [], { detached: true }); child.unref(); children.set(name, child); }`,
      `export function start(name) { const child = spawn(name, [], { detached: true }); child.unref(); track(child); }`,
      `export function start(name) { const child = spawn(name, [], { detached: true }); child.unref(); return child; }`,
    ];
    for (const code of shared) assert.deepEqual(intentsOf(`${killAll}\n${code}`), ['convenience'], code);
  });

  it('tells of a child of which the pid alone is kept, where it is by the pid', () => {
    const code = `
const pids = [];
export function start() { const child = spawn('a', [], { detached: true }); child.unref(); pids.push(child.pid); }
process.on('exit', () => { for (const pid of pids) process.kill(-pid); });`;
    assert.deepEqual(intentsOf(code), ['convenience']);
  });
});

it('a group kill counts in what an exit handler calls, by name or as a method', () => {
  const started = `const child = spawn('a', [], { detached: true });\nchild.unref();`;
  const killed = [
    `${started}\nfunction stop() { process.kill(-child.pid); }
function shutdown() { stop(); process.exit(); }
process.on('SIGINT', () => { shutdown(); });`,
    `export function start() { ${started}\nprocess.on('exit', () => end(child)); }
const end = (each) => { process.kill(-each.pid); };`,
    `class Server {
  start() {
    this.child = spawn('a', [], { detached: true });
    this.child.unref();
    process.once('exit', () => this.stop());
  }
  stop() { process.kill(-this.child.pid); }
}`,
  ];
  for (const code of killed) assert.deepEqual(intentsOf(code), ['convenience'], code);
});

describe('`.unref()`', () => {
  it('tells of its own child only', () => {
    const code = `
const server = spawn('a', [], { detached: true });
const job = spawn('b', [], { detached: true });
job.unref();`;
    assert.deepEqual(intentsOf(code), ['accident', 'outlives']);
  });

  const others = [
    `const server = createServer().listen(0);\nserver.unref();`,
    `const worker = new Worker('./w.js');\nworker.unref();`,
    `class Pool { sweep = setInterval(tidy, 1000); start() { this.sweep.unref(); } }`,
    `export const watch = (handle) => handle.unref();`,
    `child.stdout.unref();`,
    `net.connect(1).on('error', log).unref();`,
    `const other = openSocket();\nfunction openSocket() { return connect(1); }\nother.unref();`,
  ];
  for (const other of others) {
    it(`of something else tells nothing: ${other}`, () => {
      const code = `function serve() { const child = spawn('a', [], { detached: true }); ${other} }`;
      assert.deepEqual(intentsOf(code), ['accident']);
    });
  }

  const far = '\n'.repeat(100);
  const its = [
    `const child = spawn('a', [], { detached: true });${far}child.unref();`,
    `class Job { start() { this.child = spawn('a', [], { detached: true }); } ${far} free() { this.child?.unref(); } }`,
    `const children = new Map();
function start(id) { children.set(id, spawn('a', [], { detached: true })); }${far}
function free(id) { children.get(id).unref(); }`,
    `const all = [spawn('a', [], { detached: true })];${far}all.forEach((each) => each.unref());`,
    `const start = () => spawn('a', [], { detached: true });${far}const child = start();\nchild.unref();`,
    `const child = await new Promise((resolve) => resolve(spawn('a', [], { detached: true })));${far}child.unref();`,
    `const { child } = launch();${far}child.unref();
function launch() { const child = spawn('a', [], { detached: true }); return { child }; }`,
  ];
  for (const code of its) {
    it(`of it tells, however far away: ${code.replace(far, '…')}`, () => {
      assert.deepEqual(intentsOf(code), ['outlives']);
    });
  }

  it('of a parameter tells of a child that the function is given, or, where that may be any, of one that is near', () => {
    const given = `
const letGo = (child) => child.unref();${far}letGo(spawn('a', [], { detached: true }));`;
    assert.deepEqual(intentsOf(given), ['outlives']);
    const any = (gap: string): string => `
import { letGo } from './b.js';
letGo(spawn('a', [], { detached: true }));${gap}export function free(child) { child.unref(); }`;
    assert.deepEqual(intentsOf(any('\n')), ['outlives']);
    assert.deepEqual(intentsOf(any(far)), ['accident']);
  });
});

describe('a group kill is read', () => {
  const kills = [
    `-1 * child.pid`,
    `child.pid * -1`,
    `0 - child.pid!`,
    `-Math.abs(child.pid)`,
    '`-${child.pid}`',
    `'-' + child.pid`,
    `+('-' + child.pid)`,
    `Number(\`-\${child.pid}\`)`,
    `group`,
  ];
  for (const pid of kills) {
    it(`as \`${pid}\``, () => {
      const code = `
const child = spawn('a', [], { detached: true });
const group = -child.pid;
export const stop = () => process.kill(${pid}, 'SIGTERM');`;
      assert.deepEqual(intentsOf(code), ['convenience']);
    });
  }
});

describe('the test of the platform', () => {
  const posix = [
    `process.platform !== 'win32'`,
    `!isWin`,
    `!isWindows`,
    `isWin ? false : true`,
    `!/^win/.test(process.platform)`,
  ];
  for (const option of posix) {
    it(`is a sign of a group: ${option}`, () => {
      assert.deepEqual(intentsOf(`spawn('a', [], { detached: ${option} });`), ['convenience']);
    });
  }

  const windows = [
    `process.platform === 'win32'`,
    `isWin`,
    `is_win32`,
    `isWindows()`,
    `isWin ? true : false`,
    `isWin && later`,
    `/^win/.test(process.platform)`,
    `process.platform.startsWith('win')`,
  ];
  for (const option of windows) {
    it(`is none where the option is for Windows only: ${option}`, () => {
      assert.deepEqual(intentsOf(`spawn('a', [], { detached: ${option} });`), ['accident']);
    });
  }
});

describe('`.unref()`', () => {
  it('on the call itself tells of that call only, whatever is listened to in between', () => {
    const code = `
export const serve = () => spawn('a', [], { detached: true });
export const open = (url) => {
  spawn('b', [url], { detached: true }).on('error', () => {}).unref();
};`;
    assert.deepEqual(intentsOf(code), ['accident', 'outlives']);
  });
});

it('signal 0 only asks whether a group is there', () => {
  const code = `
const child = spawn('a', [], { detached: true });
process.on('exit', () => process.kill(-child.pid, 0));`;
  assert.deepEqual(intentsOf(code), ['accident']);
});
