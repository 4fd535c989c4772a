import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { folderOf } from './program.ts';
import { betterSqlite3 } from '../helpers/on-demand.ts';

/** What is used of esbuild, which comes with tsx. */
interface Esbuild {
  build(options: object): Promise<unknown>;
}
const esbuild = createRequire(import.meta.resolve('tsx'))('esbuild') as Esbuild;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program that uses each host once. */
const program = (from: (name: string) => string): string => `
import { openDatabase } from ${from('sqlite')};
import { offload } from ${from('offload')};
import { statusFile } from ${from('status')};
async function main() {
  for (const host of ['thread', 'process'] as const) {
    const db = openDatabase('a.db', { driver: 'better-sqlite3', host, resolveFrom: ${JSON.stringify(join(betterSqlite3(), 'x.js'))} });
    const row = await db.prepare('select 6 * 7 as n').get() as { n: number };
    const all = await db.prepare('select 1 as a union select 2').all();
    const error = await db.prepare('select missing').get().catch((thrown: Error & { code: string }) => thrown.name + ' ' + thrown.code);
    await db.close();
    const repo = offload<{ twice(n: number): number }>(process.cwd() + '/repo.cjs', { host });
    console.log([host, row.n, all.length, error, await repo.twice(4)].join(' '));
  }
  for (const host of ['pool', 'process'] as const) {
    const status = statusFile(host + '.json', { host });
    status.publish({ a: 1 });
    console.log(host + ' ' + await status.flush(30_000));
  }
}
main().then(() => process.exit(), (error) => { console.error(error); process.exit(1); });
`;

const EXPECTED = [
  'thread 42 2 SqliteError SQLITE_ERROR 8',
  'process 42 2 SqliteError SQLITE_ERROR 8',
  'pool true',
  'process true',
];

async function runs(file: string, cwd: string): Promise<void> {
  writeFileSync(join(cwd, 'repo.cjs'), 'exports.twice = (n) => n * 2;');
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  assert.deepEqual(stdout.trim().split('\n'), EXPECTED);
}

describe('hosts without files of their own', { timeout: 600_000 }, () => {
  const source = (name: string): string => JSON.stringify(join(root, `runtime/off-loop/${name}.ts`));
  /** As it is packed: what is only built has require() calls that esbuild takes for dynamic in an ES module. */
  const packed = join(root, '.cache/off-loop/packed');
  const built = (name: string): string => JSON.stringify(join(packed, `dist/off-loop/${name}.js`));
  before(() => {
    for (const name of ['dist', 'package.json'])
      cpSync(join(root, 'runtime', name), join(packed, name), { recursive: true });
    execFileSync(process.execPath, [join(root, 'scripts/shrink.mjs')], { cwd: packed });
  });
  for (const format of ['esm', 'cjs']) {
    for (const options of [{}, { minify: true }, { minify: true, keepNames: true }, { keepNames: true }]) {
      it(`start from an esbuild bundle, ${format} ${JSON.stringify(options)}`, async (t) => {
        const folder = folderOf(t);
        writeFileSync(join(folder, 'program.ts'), program('minify' in options ? built : source));
        const out = join(folder, format === 'esm' ? 'out.mjs' : 'out.cjs');
        await esbuild.build({
          entryPoints: [join(folder, 'program.ts')],
          outfile: out,
          bundle: true,
          platform: 'node',
          format,
          logLevel: 'silent',
          ...options,
        });
        await runs(out, folder);
      });
    }
  }

  it('start where the package itself cannot be read as files, as in an archive', async (t) => {
    // What Electron's asar does to a package: require() sees it, child processes and threads do not.
    const folder = folderOf(t);
    mkdirSync(join(folder, 'app'));
    cpSync(join(root, 'runtime/dist'), join(folder, 'archived'), { recursive: true });
    writeFileSync(
      join(folder, 'app/program.ts'),
      program((name) => JSON.stringify(join(folder, `archived/off-loop/${name}.js`))),
    );
    await esbuild.build({
      entryPoints: [join(folder, 'app/program.ts')],
      outfile: join(folder, 'app/main.cjs'),
      format: 'cjs',
      platform: 'node',
      logLevel: 'silent',
    });
    writeFileSync(
      join(folder, 'boot.cjs'),
      `const Module = require('node:module'); const fs = require('node:fs'); const path = require('node:path');
       // Holds the sources in memory, then takes the files away.
       const inside = path.join(__dirname, 'archived'); const texts = new Map();
       const walk = (dir) => { for (const each of fs.readdirSync(dir, { withFileTypes: true })) { const file = path.join(dir, each.name); if (each.isDirectory()) walk(file); else texts.set(file, fs.readFileSync(file, 'utf8')); } };
       walk(inside); fs.rmSync(inside, { recursive: true });
       const resolve = Module._resolveFilename;
       Module._resolveFilename = function (request, parent, ...rest) {
         const file = path.isAbsolute(request) ? request : request.startsWith('.') && parent ? path.resolve(path.dirname(parent.filename), request) : '';
         return texts.has(file) ? file : resolve.call(this, request, parent, ...rest);
       };
       const js = Module._extensions['.js'];
       Module._extensions['.js'] = (module, file) => texts.has(file) ? module._compile(texts.get(file), file) : js(module, file);
       require('./app/main.cjs');`,
    );
    await runs(join(folder, 'boot.cjs'), folder);
  });
});

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

describe(
  'everyCadence in a browser',
  { timeout: 300_000, skip: chromium === undefined && 'needs Chromium' },
  () => {
    it('runs, rests while its pane is not shown, and comes back', async (t) => {
      const folder = folderOf(t);
      writeFileSync(
        join(folder, 'page.ts'),
        `import { everyCadence } from ${JSON.stringify(join(root, 'runtime/off-loop/cadence.ts'))};
       const pane = document.createElement('div');
       document.body.append(pane);
       const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
       const until = async (ask: () => boolean) => { while (!ask()) await sleep(5); };
       async function main() {
         let runs = 0;
         const cadence = everyCadence(() => { runs++; }, { everyMs: 10, visible: () => pane.style.display !== 'none' });
         await until(() => runs >= 3);
         pane.style.display = 'none';
         await sleep(30);
         const hidden = runs;
         await sleep(200);
         const rested = runs === hidden;
         const stillVisible = document.visibilityState;
         pane.style.display = '';
         cadence.check();
         const atOnce = runs > hidden;
         await until(() => runs > hidden + 1);
         await cadence.stop();
         document.title = JSON.stringify({ rested, stillVisible, atOnce });
         document.body.textContent = 'RESULT ' + document.title;
       }
       main().catch((error) => { document.body.textContent = 'RESULT ' + error; });`,
      );
      await esbuild.build({
        entryPoints: [join(folder, 'page.ts')],
        outfile: join(folder, 'page.js'),
        bundle: true,
        platform: 'browser',
        logLevel: 'silent',
      });
      writeFileSync(join(folder, 'page.html'), '<!doctype html><body><script src="page.js"></script></body>');
      const args = [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--allow-file-access-from-files',
        `--user-data-dir=${join(folder, 'profile')}`,
        '--virtual-time-budget=20000',
        '--dump-dom',
        `file://${join(folder, 'page.html')}`,
      ];
      const { stdout } = await promisify(execFile)(String(chromium), args);
      assert.match(stdout, /RESULT \{"rested":true,"stillVisible":"visible","atOnce":true\}/);
    });
  },
);
