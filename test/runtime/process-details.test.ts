import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';
import { commandLines } from '../../runtime/process/command-lines.ts';
import { markTexts } from '../../runtime/process/mark-texts.ts';
import { listeningPorts } from '../../runtime/process/ports.ts';
import { familyOf, type Owner } from '../helpers/processes.ts';

// Without IPv6 there is one port only.
const LISTEN = `
  const listen = (host) => new Promise((resolve) => {
    const server = require('net').createServer().on('error', () => resolve([]));
    server.listen(0, host, () => resolve([server.address().port]));
  });
  Promise.all(['127.0.0.1', '::1'].map(listen)).then((ports) => console.log('ports ' + ports.flat().join(' ')));
`;
const MARK = '7.0123456789ab.3:a%20reason%20to%20stay;';
const GONE = 4_194_303;
const [hasPs, hasLsof] = ['ps', 'lsof'].map((command) => spawnSync(command, ['-v']).error === undefined);

async function listener(t: TestContext): Promise<Owner & { ports: number[] }> {
  const owner = familyOf(t).start(process.execPath, ['-e', LISTEN], { env: { OWNED_SPAWN_MARK: MARK } });
  const [, ports = ''] = await owner.line(/^ports (.*)$/);
  return {
    ...owner,
    ports: ports
      .split(' ')
      .map(Number)
      .sort((a, b) => a - b),
  };
}

// ps(1) and lsof(8) are what other systems have; they answer here too.
for (const platform of ['linux', 'darwin'] as const) {
  const isReal = process.platform === platform;

  describe(`details of processes, as on ${platform}`, { skip: platform === 'linux' && !isReal }, () => {
    function pretend(t: TestContext): void {
      const real = Object.getOwnPropertyDescriptor(process, 'platform');
      Object.defineProperty(process, 'platform', { ...real, value: platform });
      t.after(() => Object.defineProperty(process, 'platform', real ?? {}));
    }

    it('reads the mark', { skip: !isReal && !hasPs }, async (t) => {
      const { pid } = await listener(t);
      pretend(t);
      assert.deepEqual(markTexts([pid, GONE]), new Map([[pid, MARK]]));
      assert.deepEqual(markTexts([]), new Map());
    });

    it('reads the command line', { skip: !isReal && !hasPs }, async (t) => {
      const { pid } = await listener(t);
      pretend(t);
      const words = commandLines([pid, GONE]);
      assert.deepEqual([...words.keys()], [pid]);
      assert.deepEqual(words.get(pid)?.slice(0, 2), [process.execPath, '-e']);
      assert.deepEqual(commandLines([]), new Map());
    });

    it('reads the ports', { skip: !isReal && !hasLsof }, async (t) => {
      const { pid, ports } = await listener(t);
      pretend(t);
      assert.deepEqual(listeningPorts([pid, process.pid]), new Map([[pid, ports]]));
      assert.deepEqual(listeningPorts([]), new Map());
    });
  });
}
