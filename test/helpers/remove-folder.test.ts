import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { removeFolder } from './processes.ts';

it('removes a folder while somebody writes into it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-remove-'));
  const write = `const { writeFileSync } = require('node:fs');
    for (let n = 0, end = Date.now() + 2000; Date.now() < end; n++) {
      writeFileSync(String(n), '');
      if (n === 50) console.log('WRITES');
    }`;
  const writer = spawn(process.execPath, ['-e', write], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(writer.stdout, 'data');
  await removeFolder(folder);
  if (writer.exitCode === null) await once(writer, 'exit');
  assert.equal(existsSync(folder), false);
});
