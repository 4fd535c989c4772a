import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

describe('calls in async functions', () => {
  it('become their promise twins, and the imports follow', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'named.ts': `#!/usr/bin/env node
'use strict';
// the header
import { readFileSync, type Stats } from 'node:fs';

export async function read(file: string): Promise<[string, Stats?]> {
  return [readFileSync(file, 'utf8')];
}
setInterval(() => {}, 1);
`,
      'kept.ts': `import { readFileSync, writeFileSync } from "fs"
export const boot = readFileSync("boot")
export async function write(file: string) {
  const old = 1
  writeFileSync(file, "x")
  readFileSync("y").toString()
  return old
}
`,
      'member.mjs': `import * as fs from 'fs';
export async function sizes(a, b) {
  return fs.readFileSync(a).length ** 2 + fs.readFileSync(fs.realpathSync(b))[0];
}
`,
      'bound.ts': `import { readFileSync, promises as fsp } from 'node:fs';
export const read = async (file: string) => readFileSync(file);
export const stats = (file: string) => fsp.stat(file);
`,
      'old.cjs': `const { readFileSync: read, rmSync } = require('fs');
module.exports = async function (file) {
  const text = read(file, 'utf8');
  rmSync(text);
};
`,
      'lazy.cjs': `exports.load = async function (file) {
  const fs = require('fs');
  return fs.readFileSync(file);
};
`,
    });
    assert.equal(
      texts['named.ts'],
      `#!/usr/bin/env node
'use strict';
// the header
import { type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';

export async function read(file: string): Promise<[string, Stats?]> {
  return [await readFile(file, 'utf8')];
}
setInterval(() => {}, 1);
`,
    );
    assert.equal(
      texts['kept.ts'],
      `import { readFileSync } from "fs"
import { readFile, writeFile } from "fs/promises"
export const boot = readFileSync("boot")
export async function write(file: string) {
  const old = 1
  await writeFile(file, "x")
  ;(await readFile("y")).toString()
  return old
}
`,
    );
    assert.equal(
      texts['member.mjs'],
      `import * as fs from 'fs';
export async function sizes(a, b) {
  return (await fs.promises.readFile(a)).length ** 2 + (await fs.promises.readFile(await fs.promises.realpath(b)))[0];
}
`,
    );
    assert.equal(
      texts['bound.ts'],
      `import { promises as fsp } from 'node:fs';
export const read = async (file: string) => await fsp.readFile(file);
export const stats = (file: string) => fsp.stat(file);
`,
    );
    assert.equal(
      texts['old.cjs'],
      `const { readFile, rm } = require('fs/promises');
module.exports = async function (file) {
  const text = await readFile(file, 'utf8');
  await rm(text);
};
`,
    );
    assert.match(texts['lazy.cjs'] ?? '', /return await fs\.promises\.readFile\(file\);/);
    assert.ok(said.includes('kept.ts:2 suppressed not-on-loop'));
  });

  it('of other modules: compression, hashes, children', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import { gzipSync, createGzip } from 'node:zlib';
import { execSync, execFileSync, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import bcrypt from 'bcrypt';

export async function all(data: Buffer): Promise<unknown[]> {
  return [
    gzipSync(data),
    crypto.pbkdf2Sync('a', 'b', 1, 2, 'sha1').toString('hex'),
    bcrypt.hashSync('a', 10),
    execSync('git status', { encoding: 'utf8' }).trim(),
    execSync('git log').toString(),
    execFileSync('git', ['log'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    createGzip,
  ];
}
export async function left(data: Buffer): Promise<unknown[]> {
  try {
    execSync('x');
  } catch (error) {
    return [error.status];
  }
  return [execSync('y'), execSync('z', { input: data }), spawnSync('x'), crypto.scryptSync('a', 'b', 3)];
}
`,
    });
    const text = texts['a.ts'] ?? '';
    for (const line of [
      "import { gzip, createGzip } from 'node:zlib';",
      "import { promisify } from 'node:util';",
      "import { execSync, exec, execFile, spawnSync } from 'node:child_process';",
      '    await promisify(gzip)(data),',
      "    (await promisify(crypto.pbkdf2)('a', 'b', 1, 2, 'sha1')).toString('hex'),",
      "    await bcrypt.hash('a', 10),",
      "    (await promisify(exec)('git status', { encoding: 'utf8' })).stdout.trim(),",
      "    (await promisify(exec)('git log')).stdout.toString(),",
      "    (await promisify(execFile)('git', ['log'], { encoding: 'utf8' })).stdout,",
    ])
      assert.ok(text.includes(`${line}\n`), `${line}\n${text}`);
    assert.deepEqual(
      said.filter((line) => line.includes('left')),
      [
        'a.ts:19 left result-differs',
        'a.ts:23 left result-differs',
        'a.ts:23 left twin-options',
        'a.ts:23 left no-twin',
        'a.ts:23 left no-twin',
      ],
    );
  });

  it('probes only where they are many, as the rule does', async () => {
    const { texts } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import { existsSync, statSync } from 'node:fs';
export async function find(files: string[]) {
  if (!existsSync('x')) return undefined;
  for (const file of files) if (!existsSync(file)) return statSync(file).size;
}
`,
    });
    assert.equal(
      texts['a.ts'],
      `import { existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
export async function find(files: string[]) {
  if (!existsSync('x')) return undefined;
  for (const file of files) if (!await access(file).then(() => true, () => false)) return (await stat(file)).size;
}
`,
    );
  });

  it('are left where the call cannot be awaited or has no twin', async () => {
    const { texts, said } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import fs, { readFileSync, statSync, openSync } from 'node:fs';
export async function all(fd: number, list?: { fs?: typeof fs }) {
  readFileSync(fd);
  readFileSync(0);
  list?.fs?.readFileSync('x').toString();
  for (;;) {
    statSync('x', { throwIfNoEntry: false });
    openSync('x', 'r');
    ['a'].map(readFileSync);
    fs['readFileSync']('x');
    readFileSync.call(fs, 'x');
  }
}
`,
    });
    assert.match(texts['a.ts'] ?? '', /^import fs, \{ readFileSync, statSync, openSync \} from/);
    assert.deepEqual(
      said.map((line) => line.replace('a.ts:', '')),
      [
        '3 left descriptor',
        '4 left descriptor',
        '5 left indirect-call',
        '7 left twin-options',
        '8 left no-twin',
        '9 left indirect-call',
        '10 left indirect-call',
        '11 left indirect-call',
      ],
    );
  });

  it('keep CRLF, tabs, byte order marks and comments', async () => {
    const { texts } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import { readFileSync } from 'node:fs'; // why\r\nexport async function read() {\r\n\treturn /* a */ readFileSync /* b */ ( 'x' /* c */ ) /* d */ . length;\r\n}\r\n`,
    });
    assert.equal(
      texts['a.ts'],
      `import { readFile } from 'node:fs/promises'; // why\r\nexport async function read() {\r\n\treturn /* a */ (await readFile /* b */ ( 'x' /* c */ )) /* d */ . length;\r\n}\r\n`,
    );
  });

  it('obey markers and directives', async () => {
    const { said } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import { readFileSync } from 'node:fs';
export async function read() {
  // blocking-call: ok — a few bytes of a local file
  readFileSync('a');
  // eslint-disable-next-line owned-spawn/no-blocking-call -- known
  readFileSync('b');
}
`,
    });
    assert.deepEqual(said, ['a.ts:4 suppressed marker', 'a.ts:6 suppressed eslint-disabled']);
  });

  it('stay where a test of the file puts something else in their place', async () => {
    const load = (name: string): string =>
      `import { readFileSync } from 'node:fs';\nexport async function load() {\n  return readFileSync('${name}', 'utf8');\n}\n`;
    const { said } = await moved(
      {
        'package.json': PACKAGE,
        'mocked.ts': load('mocked'),
        'spied.ts': load('spied'),
        'lib/index.cjs': `const fs = require('fs');\nexports.load = async () => fs.readFileSync('stubbed');\nexports.drop = async (x) => fs.rmSync(x);\n`,
        'real.ts': load('real'),
        'test/mocked.test.ts': `import { vi } from 'vitest';
import { load } from '../mocked.js';
vi.mock('node:fs', async (original) => ({ ...(await original()), readFileSync: vi.fn() }));
`,
        'test/spied.test.ts': `import fs from 'node:fs';
import { load } from '../spied.js';
jest.spyOn(fs, 'readFileSync');
`,
        'test/lib.spec.cjs': `const proxyquire = require('proxyquire');
const modulePath = '../lib';
const lib = proxyquire(modulePath, { fs: { readFileSync: () => 'x' } });
`,
        'test/real.test.ts': `import { readFileSync } from 'node:fs';
import { load } from '../real.js';
jest.mock('./other');
it('readFileSync', async () => expect(await load()).toBe(readFileSync('real', 'utf8')));
`,
      },
      { allowApiChange: true },
    );
    assert.deepEqual(
      said.filter((line) => !line.startsWith('test/')),
      [
        'lib/index.cjs:2 left replaced-in-test',
        'lib/index.cjs:3 migrate',
        'mocked.ts:3 left replaced-in-test',
        'real.ts:3 migrate',
        'spied.ts:3 left replaced-in-test',
      ],
    );
  });

  it('are small ones too where a call on the way to them runs many times', async () => {
    const { said } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import { existsSync } from 'node:fs';
const isThere = (path: string): boolean => existsSync(path);
const isHere = (path: string): boolean => existsSync(path);
async function first(paths: string[]) {
  for (const path of paths) if (isThere(path)) return path;
  return isHere('x');
}
setInterval(() => void first([]), 1);
`,
    });
    assert.deepEqual(said, ['a.ts:2 migrate']);
  });

  it('go through the module that their names were taken from', async () => {
    const { texts, said } = await moved({
      'package.json': '{ "name": "app", "private": true }',
      'a.js': `const fs = require('fs'), cp = require('child_process'), zlib = require('zlib');
const { readFileSync, existsSync } = fs;
const { execSync } = cp;
const unzip = zlib.gunzipSync, zip = zlib.gzipSync;
const kept = fs.statSync, size = (f) => kept(f).size;
module.exports = async (file) => {
  const { writeFileSync: put } = fs;
  put(file, 'x');
  for (const f of [file, '.']) kept(f);
  return [existsSync(file), readFileSync(file), execSync('date').toString(), unzip(zip('z'))];
};
size('.');
`,
    });
    assert.equal(
      texts['a.js'],
      `const fs = require('fs'), cp = require('child_process'), zlib = require('zlib');
const { promisify } = require('util');
const { existsSync } = fs;
const kept = fs.statSync, size = (f) => kept(f).size;
module.exports = async (file) => {
  await fs.promises.writeFile(file, 'x');
  for (const f of [file, '.']) await fs.promises.stat(f);
  return [existsSync(file), await fs.promises.readFile(file), (await promisify(cp.exec)('date')).stdout.toString(), await promisify(zlib.gunzip)(await promisify(zlib.gzip)('z'))];
};
size('.');
`,
    );
    assert.deepEqual([...new Set(said.map((line) => line.split(' ')[1]))], ['migrate']);
  });
});
