import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

const SERVER = `import { readFileSync, writeFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
export class Loader extends EventEmitter {
  config: unknown;
  async load() {
    this.config = JSON.parse(readFileSync('c.json', 'utf8'));
    await this.tell();
  }
  async tell() {}
}
export class Saver {
  async save(text: string) { writeFileSync('saved.json', text); }
  async loadText(file: string) { return readFileSync(file, 'utf8').trim(); }
  async saveLater(loader: Loader) {
    await loader.tell();
    writeFileSync('later.json', 'x');
  }
}
`;

/** What becomes of the calls of the server, with a caller of its functions beside it. */
async function said(caller: string, name = 'caller.ts', server = SERVER): Promise<string[]> {
  const { sites } = await moved(
    { 'package.json': PACKAGE, 'server.ts': server, [name]: caller },
    { allowApiChange: true },
  );
  return sites
    .filter(({ file }) => file === 'server.ts')
    .map(({ line, status, reason }) => [line, status, reason].filter(Boolean).join(' '));
}

const calling = (body: string): string => `import { Loader, Saver } from './server.ts';
import { readFileSync } from 'node:fs';
const loader = new Loader();
const saver = new Saver();
setInterval(async () => { ${body} }, 1000);
`;

const MOVED = ['6 migrate', '12 migrate', '13 migrate', '16 migrate'];
const LOADED = ['6 left unawaited-caller', ...MOVED.slice(1)];
const SAVED = [MOVED[0], '12 left unawaited-caller', ...MOVED.slice(2)];

describe('what a call that nobody waits for did at once', () => {
  const seen: readonly [body: string, sites: readonly (string | undefined)[]][] = [
    [`loader.load(); console.log(loader.config);`, LOADED],
    [`void loader.load(); if (loader.config) console.log('there');`, LOADED],
    [`loader.load().catch(console.error); use(); function use() { return loader.config; }`, LOADED],
    [`const p = loader.load(); console.log(loader.config); await p;`, LOADED],
    [`Promise.all([loader.load()]); await Promise.resolve(loader.config);`, LOADED],
    [`start(); console.log(loader.config); function start() { void loader.load(); }`, LOADED],
    [`start(); console.log(loader.config); async function start() { await loader.load(); }`, LOADED],
    [`saver.save('x'); console.log(readFileSync('saved.json'));`, SAVED],
  ];
  for (const [body, sites] of seen) {
    it(`keeps it there where it is looked at: ${body}`, async () => {
      assert.deepEqual(await said(calling(body)), sites);
    });
  }

  const unseen = [
    `await loader.load(); console.log(loader.config);`,
    `return loader.load();`,
    `loader.load();`,
    `void loader.load(); console.log('begun');`,
    `const p = loader.load(); await p; console.log(loader.config);`,
    `if (saver) loader.load(); else console.log(loader.config);`,
    `saver.loadText('x').then(console.log); console.log(loader.config);`,
    `saver.saveLater(loader); console.log(readFileSync('later.json'));`,
    `saver.save('x'); await loader.tell(); console.log(readFileSync('saved.json'));`,
  ];
  for (const body of unseen) {
    it(`moves where nothing looks: ${body}`, async () => {
      assert.deepEqual(await said(calling(body)), MOVED);
    });
  }

  const inCallback: readonly [body: string, site: string][] = [
    [`(async () => { state = readFileSync(file); await null; })(); return state;`, 'left unawaited-caller'],
    [
      `void (async function () { state = readFileSync(file); }).call(null); return state;`,
      'left unawaited-caller',
    ],
    [
      `[file].forEach(async (each) => { state = readFileSync(each); }); return state;`,
      'left unawaited-caller',
    ],
    [`(async () => { state = readFileSync(file); })(); return 1;`, 'migrate'],
    [
      `const all = [file].map(async (each) => { state = readFileSync(each); }); return all.length;`,
      'migrate',
    ],
  ];
  for (const [body, site] of inCallback)
    it(`counts what an async callback does at once: ${body}`, async () => {
      const { said: its } = await moved({
        'package.json': PACKAGE,
        'server.ts': `import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
let state: unknown;
function settings(file: string) {
  ${body}
}
createServer((req, res) => { res.end(String(settings('x'))); });
`,
      });
      assert.deepEqual(its, [`server.ts:5 ${site}`]);
    });

  it('is seen by a test, also where its object has no type', async () => {
    const server = `const fs = require('node:fs');
class Command {
  async link(names) {
    for (const name of fs.readdirSync('themes')) names.push(name);
    if (names.length > 9) await this.sudo();
  }
  async sudo() {}
}
module.exports = Command;
`;
    const test = (body: string): string => `const path = '../server';
const Command = require(path);
it('links', async () => {
  const command = new Command();
  const names = [];
  ${body}
});
`;
    const files = (body: string): Promise<string[]> => sitesOf(test(body), server);
    assert.deepEqual(await files(`command.link(names);\n  expect(names).toEqual(['a']);`), [
      '4 left unawaited-caller',
    ]);
    assert.deepEqual(await files(`await command.link(names);\n  expect(names).toEqual(['a']);`), [
      '4 migrate',
    ]);
  });
});

/** As CommonJS without types. */
async function sitesOf(test: string, server: string): Promise<string[]> {
  const { sites } = await moved(
    {
      'package.json': JSON.stringify({ name: 'app', private: true }),
      'server.js': server,
      'test/server-spec.js': test,
    },
    { allowApiChange: true },
  );
  return sites.map(({ line, status, reason }) => [line, status, reason].filter(Boolean).join(' '));
}
