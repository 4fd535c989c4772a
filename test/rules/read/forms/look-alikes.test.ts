import { describePairs } from './pairs.ts';

describePairs('what only looks like it', {
  types: {
    leaves: `
import { spawn, type SpawnOptions } from 'node:child_process';
const options: SpawnOptions & { detached: true } = { detached: true };
spawn('a', [], options); //!`,
    stays: `
import { spawn, type SpawnOptions } from 'node:child_process';
type Detached = SpawnOptions & { detached: true };
interface Options { detached?: boolean }
export declare function spawnDaemon(options: Detached): void;
spawn('a', []);`,
  },
  tests: {
    leaves: `
import { spawn } from 'node:child_process';
it('leaves', () => {
  const child = spawn('a', [], { detached: true }); //!
  expect(child.pid).toBeDefined();
});`,
    stays: `
import { spawn } from 'node:child_process';
vi.mock('node:child_process');
it('spawns', () => {
  start();
  expect(spawn).toHaveBeenCalledWith('a', [], expect.objectContaining({ detached: true, stdio: 'ignore' }));
  expect(vi.mocked(spawn).mock.calls[0][2]).toMatchObject({ detached: true, shell: true });
  assert.calledWith(spawn, 'a', [], { detached: true, cwd: '/' });
});`,
  },
  'state of git and of windows': {
    leaves: `
import { spawn } from 'node:child_process';
export const status = { detached: true };
export const fetch = () => spawn('git', ['fetch'], { detached: true, env: {} }); //!`,
    stays: `
import { spawn } from 'node:child_process';
export const head = (ref) => ({ detached: !ref, name: ref });
export class Panel {
  detached = true;
  open() {
    this.window = openWindow({ detached: this.detached, cwd: '/' });
    spawn('git', ['checkout', '--detach']);
  }
}
git.checkout({ ref: 'main', detached: true });
docker.createContainer({ detached: true, Env: [] });`,
  },
  'flags, schemas and log records': {
    leaves: `
import { spawn } from 'node:child_process';
export const run = ({ flags }) => {
  log({ event: 'spawn', detached: true });
  return spawn('a', { detached: flags.background }); //!
};`,
    stays: `
import { spawn } from 'node:child_process';
export const flags = { detached: Flags.boolean({ char: 'd', default: true }) };
export const schema = { properties: { detached: { type: 'boolean', default: true } } };
program.option('--detached', 'run in the background', true);
export const run = () => {
  const child = spawn('a');
  logger.info('spawned', { pid: child.pid, detached: true, cwd: '/' });
  trackSpawn({ detached: true, shell: false });
};`,
  },
  'documents and pictures': {
    leaves: `
import { spawn } from 'node:child_process';
const el = h('panel', { detached: true });
spawn('a', { detached: true }); //!`,
    stays: `
import { spawn } from 'node:child_process';
const el = h('panel', { detached: true });
const node = document.createElement('div', { detached: true });
vm.$mount(undefined, { detached: true });
const scope = effectScope(true);
const wrapper = mount(Component, { props: { detached: true } });
const signature = await openpgp.sign({ message, signingKeys, detached: true });
await page.waitForSelector('x', { state: 'detached' });`,
  },
  'ends of trees': {
    leaves: `
import { spawn } from 'node:child_process';
const child = spawn('a', [], { detached: true }); //!
process.on('exit', () => process.kill(-child.pid));`,
    stays: `
import { killTree } from './kill-tree.js';
await killTree(child.pid, { detached: true });
await terminateProcess(child, ['SIGTERM'], { detached: true, cwd: '/' });`,
  },
});
