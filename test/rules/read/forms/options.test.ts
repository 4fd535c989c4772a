import { describePairs } from './pairs.ts';

describePairs('options', {
  'a class field that a subclass reads': {
    leaves: `
import { spawn } from 'node:child_process';
class Base {
  options = { detached: true };
}
class Runner extends Base {
  go() {
    spawn('a', [], this.options); //!
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
class Base {
  options = { detached: false };
}
class Runner extends Base {
  go() {
    spawn('a', [], this.options);
  }
}`,
  },
  'a static constant': {
    leaves: `
import { spawn } from 'node:child_process';
class Runner {
  static OPTIONS = Object.freeze({ detached: true, stdio: 'ignore' });
  go() {
    spawn('a', [], { ...Runner.OPTIONS, cwd: '/' }); //!
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
class Runner {
  static OPTIONS = Object.freeze({ detached: true, stdio: 'ignore' });
  go() {
    spawn('a', [], { ...Runner.OPTIONS, detached: false });
  }
}`,
  },
  'a static constant by its class in a static block': {
    leaves: `
import { spawn } from 'node:child_process';
class Runner {
  static options;
  static {
    this.options = { detached: true };
  }
  go() {
    spawn('a', [], Runner.options); //!
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
class Runner {
  static options;
  static {
    this.options = { windowsHide: true };
  }
  go() {
    spawn('a', [], Runner.options);
  }
}`,
  },
  'a setter-like method of a builder': {
    leaves: `
import { spawn } from 'node:child_process';
class Command {
  options = {};
  detach() {
    this.options.detached = true;
    return this;
  }
  run() {
    return spawn('a', this.options); //!
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
class Command {
  options = {};
  state = {};
  detach() {
    this.state.detached = true;
    return this;
  }
  run() {
    return spawn('a', this.options);
  }
}`,
  },
  'a function with one return, and another in between': {
    leaves: `
import { spawn } from 'node:child_process';
const base = () => ({ stdio: 'ignore' });
function daemonOptions(cwd) {
  const options = base();
  return Object.assign(options, { cwd, detached: true });
}
spawn('a', [], daemonOptions('/')); //!`,
    stays: `
import { spawn } from 'node:child_process';
const base = () => ({ stdio: 'ignore' });
function daemonOptions(cwd) {
  const options = base();
  return Object.assign(options, { cwd, detached: false });
}
spawn('a', [], daemonOptions('/'));`,
  },
  'a function with a parameter that decides': {
    leaves: `
import { spawn } from 'node:child_process';
const optionsFor = (background) => ({ stdio: 'ignore', detached: background });
spawn('a', [], optionsFor(true)); //!`,
    stays: `
import { spawn } from 'node:child_process';
const optionsFor = (background) => ({ stdio: 'ignore', detached: background });
spawn('a', [], optionsFor(false));`,
  },
  'a table of options by kind': {
    leaves: `
import { spawn } from 'node:child_process';
const OPTIONS = { server: { detached: true }, tool: { stdio: 'inherit' } };
spawn('a', [], OPTIONS.server); //!`,
    stays: `
import { spawn } from 'node:child_process';
const OPTIONS = { server: { detached: true }, tool: { stdio: 'inherit' } };
spawn('a', [], OPTIONS.tool);`,
  },
  'destructured from a table': {
    leaves: `
import { spawn } from 'node:child_process';
const { server, tool } = { server: { detached: true }, tool: {} };
spawn('a', [], server); //!`,
    stays: `
import { spawn } from 'node:child_process';
const { server, tool } = { server: { detached: true }, tool: {} };
spawn('a', [], tool);`,
  },
  'an option that is commented out': {
    leaves: `
import { spawn } from 'node:child_process';
spawn('a', [], { //!
  // detached: false,
  detached: true,
});`,
    stays: `
import { spawn } from 'node:child_process';
spawn('a', [], {
  // detached: true,
  stdio: 'ignore',
});`,
  },
  'a nested option of a library': {
    leaves: `
import { x } from 'tinyexec';
const options = { nodeOptions: { detached: true } };
await x('a', [], options); //!`,
    stays: `
import { x } from 'tinyexec';
const options = { nodeOptions: { cwd: '/', env: { detached: 'true' } } };
await x('a', [], options);`,
  },
  'options in front of a callback that is a parameter': {
    leaves: `
import * as child from './child.js';
export async function go(cmd, cwd, isInteractive, onProgress) {
  let detached = process.platform !== 'win32';
  if (isInteractive) {
    detached = false;
  }
  await child.spawn(cmd, [], { cwd, detached, shell: true }, onProgress); //!
}`,
    stays: `
import * as child from './child.js';
export const go = (cmd, cwd, onProgress) => child.spawn(cmd, [], { cwd, detached: false, shell: true }, onProgress);`,
  },
  'options of a process within the options of a wrapper': {
    leaves: `
import { startProcess } from './node.js';
export const go = () => startProcess({ cmd: 'node', args: ['x'], execaOpts: { detached: true } }); //!
export const come = () => startProcess('node', ['x'], { spawnOptions: { detached: true }, readyText: 'up' }); //!`,
    stays: `
import { startProcess } from './node.js';
export const go = () => startProcess({ cmd: 'node', args: ['x'], execaOpts: { detached: false } });
export const come = () => startProcess('node', ['x'], { head: { detached: true }, readyText: 'up' });`,
  },
  'whichever of several option objects': {
    leaves: `
import { spawn } from 'node:child_process';
const modes = { daemon: { detached: true }, fg: { stdio: 'inherit' } };
export const go = (mode) => spawn('x', [], modes[mode]); //!`,
    stays: `
import { spawn } from 'node:child_process';
const modes = { quiet: { stdio: 'ignore' }, fg: { stdio: 'inherit' } };
export const go = (mode) => spawn('x', [], modes[mode]);`,
  },
});
