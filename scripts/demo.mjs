// npm run demo: find, fix and prove on a copy of examples/leaky-gateway, with real processes, in under a minute.
// Exits with 0 only if every step shows what it should and nothing is left running.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters, styleText } from 'node:util';
import { spawnOwned } from 'owned-spawn';

const root = fileURLToPath(new URL('..', import.meta.url));
const startedAt = performance.now();
const hasColour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (style, text) => (hasColour ? styleText(style, text) : text);

const base = mkdtempSync(join(tmpdir(), 'owned-spawn-demo-'));
const folder = join(base, 'leaky-gateway');
const temporary = join(base, 'tmp');
mkdirSync(temporary);

// Every process of the demo inherits this, so that at the end it can be seen that none is left.
const tag = randomUUID();
const env = {
  ...process.env,
  OWNED_SPAWN_DEMO: tag,
  // A browser that is killed leaves files.
  TMPDIR: temporary,
  ...(hasColour && { FORCE_COLOR: '1' }),
};

class Interrupted extends Error {}

let current;
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isInterrupted = true;
    // In a session of its own, the command hears nothing of the terminal's Ctrl-C.
    current?.kill('SIGINT');
  });
}

const problems = [];

function heading(text) {
  if (isInterrupted) throw new Interrupted();
  console.log(`\n${paint(['bold', 'cyan'], `── ${text} `.padEnd(100, '─'))}\n`);
}

/** Says what a step has shown, or that it has not. */
function expect(what, isSo) {
  console.log(paint(isSo ? 'green' : 'red', `${isSo ? '✓' : '✗ not so:'} ${what}`));
  if (!isSo) problems.push(what);
}

/** Runs the installed command as a user would, and returns its exit code and its text. */
async function ownedSpawn(...args) {
  if (isInterrupted) throw new Interrupted();
  console.log(
    paint('dim', `$ npx owned-spawn ${args.map((arg) => (/\s/.test(arg) ? `'${arg}'` : arg)).join(' ')}\n`),
  );
  current = spawnOwned(join(folder, 'node_modules/.bin/owned-spawn'), args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    graceMs: 10_000,
  });
  let text = '';
  for (const stream of [current.stdout, current.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
  }
  const [code] = await once(current, 'close');
  current = undefined;
  if (isInterrupted) throw new Interrupted();
  console.log();
  return { code, text: stripVTControlCharacters(text) };
}

const prove = (...flags) =>
  ownedSpawn('prove', ...flags, '--ready-text', 'gateway ready', '--', 'node', 'gateway.js');

/** A copy of the example, with the dependencies that are installed here, and in git, as programs are. */
function copyExample() {
  const source = join(root, 'examples/leaky-gateway');
  const isOwn = (path) => !['node_modules', '.cache'].includes(basename(path));
  cpSync(source, folder, { recursive: true, filter: isOwn });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const git = (...args) => spawnSync('git', args, { cwd: folder, stdio: 'ignore', timeout: 30_000 });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid', 'commit', '--quiet', '-m', 'Start');
}

/** What a person does after the migration: the export outlives on purpose, and its reason moves from the marker into the call. */
function decideExport() {
  const path = join(folder, 'src/audit-export.js');
  const before = readFileSync(path, 'utf8');
  const marker = /^ *\/\/ detached-spawn: ok — (.*)\n/m;
  const why = marker.exec(before)?.[1];
  const after = before
    .replace(marker, '')
    .replace("{ spawn } from 'node:child_process'", "{ spawnDetached } from 'owned-spawn'")
    .replace('= spawn(', '= spawnDetached(')
    .replace('detached: true', `why: '${why}'`);
  writeFileSync(path, after);
  const [old, now] = [before.split('\n'), after.split('\n')];
  for (const line of old.filter((each) => !now.includes(each))) console.log(paint('red', `-${line}`));
  for (const line of now.filter((each) => !old.includes(each))) console.log(paint('green', `+${line}`));
  return why;
}

/** A browser that is killed writes until it is gone, and the retries of rmSync do not see what is new. */
function removeFiles() {
  for (let left = 100; left > 0; left--) {
    try {
      return rmSync(base, { recursive: true, force: true, maxRetries: 1 });
    } catch {
      // Again.
    }
  }
  console.error(`left behind: ${base}`);
}

/** The processes of the demo but for itself; undefined where there is no /proc to look into. */
function leftRunning() {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(tag);
    } catch {
      return false; // gone meanwhile, or another user's
    }
  });
}

async function demo() {
  copyExample();
  console.log(
    'A gateway that starts a preview server, an MCP server, a language server, an index, a browser and two jobs.',
  );

  heading('1  Find: what is started to outlive the gateway');
  const found = await ownedSpawn('check');
  const files = ['browser', 'indexer', 'language-server', 'preview', 'thumbnails', 'tool-server'];
  expect(
    'six findings, none for the export, whose marker says why',
    found.code === 1 &&
      files.every((file) => found.text.includes(`src/${file}.js`)) &&
      !found.text.includes('src/audit-export.js'),
  );

  heading('2  Prove that it matters: kill -9 the gateway');
  const leaky = await prove('--wait', '3');
  expect(
    'children outlive it and hold their ports',
    leaky.code === 1 &&
      /\d+ processes outlived the owner without a reason/.test(leaky.text) &&
      (leaky.text.match(/\(port \d+\)/g) ?? []).length >= 2,
  );

  heading('3  Fix: move them onto the runtime');
  const diff = await ownedSpawn('migrate');
  const written = await ownedSpawn('migrate', '--write');
  expect('the diff, and then the edit, of six places', diff.code === 0 && written.code === 0);
  console.log('\nBy hand: the export outlives on purpose, and takes its reason along.\n');
  const why = decideExport();

  heading('4  Find nothing');
  const clean = await ownedSpawn('check');
  expect('no findings', clean.code === 0);

  heading('5  Prove it: kill -9 the gateway again');
  const owned = await prove();
  const row = (name) => owned.text.split('\n').find((line) => line.startsWith(name)) ?? '';
  expect(
    'nothing outlives it without a reason',
    owned.code === 0 && !owned.text.includes('without a reason'),
  );
  expect(
    `the export lives on, because ${why}`,
    /^node audit-export\.js +1 +1 /.test(row('node audit-export.js')) &&
      row('node audit-export.js').endsWith(why),
  );
  expect(
    'another owner beside it is untouched',
    /^\(control\) +(\d+) +\1 .*untouched$/.test(row('(control)')),
  );
}

try {
  await demo();
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
} finally {
  removeFiles();
}
const left = leftRunning();
if (left) {
  console.log();
  expect(
    left.length === 0 ? 'nothing is left running' : `left running: ${left.join(' ')}`,
    left.length === 0,
  );
}
if (!isInterrupted) console.log(`\n${((performance.now() - startedAt) / 1000).toFixed(0)} seconds.`);
process.exitCode = isInterrupted ? 130 : problems.length > 0 ? 1 : 0;
