import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { startDemo } from './helpers/demo.ts';
import { until } from './helpers/processes.ts';

const skip = process.platform === 'linux' ? false : 'looks into /proc';
const CHROMIUM = '/usr/bin/chromium';

describe('npm run demo, at length', { skip }, () => {
  it('works with a real browser', { skip: !existsSync(CHROMIUM) && 'no Chromium here' }, async (t) => {
    const demo = startDemo(t, { CHROME_PATH: CHROMIUM });
    const { code } = await demo.exited;
    await demo.closed;
    assert.equal(code, 0, demo.lines.join('\n'));
    assert.match(demo.lines.join('\n'), /^chromium +\d+ +[1-9][^]*^chromium +\d+ +0 /m);
    await demo.leavesNothing();
  });

  for (const step of ['1 ', '2 ', '3 ', '4 ', '5 ']) {
    it(`leaves nothing after Ctrl-C in step ${step}`, async (t) => {
      const demo = startDemo(t);
      await demo.line(new RegExp(`^── ${step}`));
      demo.child.kill('SIGINT');
      assert.deepEqual(await demo.exited, { code: 130, signal: null });
      await demo.leavesNothing();
    });
  }

  it('leaves no process after its own kill -9', async (t) => {
    const demo = startDemo(t);
    await demo.line(/owned-spawn prove/);
    await until('the gateway has children', () => demo.family.members().length > 10);
    demo.child.kill('SIGKILL');
    await until('nothing of it runs', () => demo.family.members().length === 0);
  });
});
