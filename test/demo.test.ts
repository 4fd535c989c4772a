import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { startDemo } from './helpers/demo.ts';
import { until } from './helpers/processes.ts';

const skip = process.platform === 'linux' ? false : 'looks into /proc';

/** Takes a port until the test ends; somebody else may have it already, which is as good. */
async function take(t: TestContext, port: number): Promise<void> {
  const server = createServer();
  const taken = Promise.race([once(server, 'listening'), once(server, 'error')]);
  server.listen(port, '127.0.0.1');
  await taken;
  t.after(() => server.close());
}

describe('npm run demo', { skip }, () => {
  it('shows what it should, also where its usual ports are taken', async (t) => {
    for (const port of [5173, 8787, 9222]) await take(t, port);
    const demo = startDemo(t);
    const { code } = await demo.exited;
    await demo.closed;
    const text = demo.lines.join('\n');
    assert.doesNotMatch(text, /✗/);
    assert.equal(code, 0, text);
    assert.equal(demo.lines.filter((line) => line.startsWith('✓')).length, 8);
    assert.doesNotMatch(text, /\(port (5173|9222)\)/);
    await demo.leavesNothing();
  });

  it('leaves nothing after Ctrl-C while the gateway runs', async (t) => {
    const demo = startDemo(t);
    await demo.line(/owned-spawn prove/);
    await until('the gateway has children', () => demo.family.members().length > 10);
    demo.child.kill('SIGINT');
    assert.deepEqual(await demo.exited, { code: 130, signal: null });
    await demo.leavesNothing();
  });
});
