import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtRuntime, familyOf, isAlive, until, type Family, type Owner } from './processes.ts';
import { which } from './shells.ts';

/** A kind of program that starts others, as real programs do it. */
export interface FamilyKind {
  name: string;
  /** What it needs; where that is missing the family is not run. */
  needs?: readonly string[];
  /** Files beside the owner. */
  files?: Readonly<Record<string, string>>;
  /** The owner's code; `spawn` and `fork` are child_process's or ours, `own(pid)` takes what a library started. Prints READY. */
  owner: string;
  /** It ends by itself when its owner is gone: nothing is left with child_process either. */
  endsByItself?: boolean;
  /** How many processes there are at least, the owner included and the supervisor not. */
  processes: number;
}

/** What a kill left. */
export interface FamilyRow {
  family: string;
  /** Who outlived the owner with child_process. */
  before: number;
  /** Who outlived it with owned-spawn. */
  after: number;
  /** The processes of another owner of the same kind, when that one was killed and at the end. */
  controlBefore: number;
  controlAfter: number;
  /** Why it was not run. */
  notRun?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Packages that only the families need: see scripts/families.mjs. */
const cached = (name: string): string => join(root, '.cache/families/node_modules', name);
const installed = (name: string): string => join(root, 'node_modules', name);

const FOREVER = 'setInterval(() => {}, 60_000);';
const LISTEN = `import { createServer } from 'node:net'; createServer().listen(0, '127.0.0.1', () => console.log('UP')); ${FOREVER}`;
const CHROMIUM = which('chromium') ?? '/usr/bin/chromium';
const SANDBOX = `['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']`;
const firstOutput = (child: string): string =>
  `await new Promise((resolve) => ${child}.stdout.once('data', resolve));`;

export const FAMILIES: readonly FamilyKind[] = [
  {
    name: 'stdio MCP server',
    needs: [installed('@modelcontextprotocol/sdk')],
    files: {
      'server.mjs': `import { spawn } from 'node:child_process';
        import { Server } from '${installed('@modelcontextprotocol/sdk')}/dist/esm/server/index.js';
        import { StdioServerTransport } from '${installed('@modelcontextprotocol/sdk')}/dist/esm/server/stdio.js';
        // A tool of it runs in the background.
        spawn('sleep', ['300'], { stdio: 'ignore' });
        await new Server({ name: 'x', version: '1' }, { capabilities: {} }).connect(new StdioServerTransport());
        process.stderr.write('UP\\n'); ${FOREVER}`,
    },
    owner: `const child = spawn(process.execPath, ['server.mjs'], { stdio: ['pipe', 'pipe', 'pipe'] });
      await new Promise((resolve) => child.stderr.once('data', resolve));
      child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } } }) + '\\n');
      ${firstOutput('child')}`,
    processes: 3,
  },
  {
    name: 'model router on a port, two levels',
    files: {
      'worker.mjs': LISTEN,
      'router.mjs': `import { spawn } from 'node:child_process'; spawn(process.execPath, ['worker.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] }); ${FOREVER}`,
    },
    owner: `const child = spawn(process.execPath, ['router.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] }); ${firstOutput('child')}`,
    processes: 3,
  },
  {
    name: 'Chromium through puppeteer-core',
    needs: [CHROMIUM, cached('puppeteer-core')],
    owner: `import puppeteer from '${cached('puppeteer-core')}/lib/esm/puppeteer/puppeteer-core.js';
      const browser = await puppeteer.launch({ executablePath: '${CHROMIUM}', args: ${SANDBOX}, userDataDir: 'profile' });
      own(browser.process());
      await (await browser.newPage()).goto('data:text/html,<p>x');`,
    processes: 4,
  },
  {
    // Its debugging pipe closes with the owner.
    name: 'Chromium through playwright-core',
    endsByItself: true,
    needs: [CHROMIUM, cached('playwright-core')],
    owner: `import playwright from '${cached('playwright-core')}/index.js';
      const server = await playwright.chromium.launchServer({ executablePath: '${CHROMIUM}', args: ${SANDBOX} });
      own(server.process());
      const browser = await playwright.chromium.connect(server.wsEndpoint());
      await (await browser.newPage()).goto('data:text/html,<p>x');`,
    processes: 4,
  },
  {
    name: 'language server with a deaf descendant',
    needs: [installed('dockerfile-language-server-nodejs')],
    files: { 'deaf.mjs': `process.stdin.resume(); process.stdin.on('end', () => {}); ${FOREVER}` },
    owner: `const script = 'node deaf.mjs & exec node ${installed('dockerfile-language-server-nodejs')}/bin/docker-langserver --stdio';
      const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
      child.stdin.write('Content-Length: ' + body.length + '\\r\\n\\r\\n' + body);
      ${firstOutput('child')}`,
    processes: 3,
  },
  {
    name: 'code cells of a REPL',
    owner: `const child = spawn(process.execPath, ['-i'], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.write("for (const n of [1, 2]) require('child_process').spawn('sleep', ['30' + n]); console.log('CE' + 'LLS')\\n");
      await new Promise((resolve) => child.stdout.on('data', (data) => String(data).includes('CELLS') && resolve()));`,
    processes: 4,
  },
  {
    name: 'slash-command worker over IPC',
    files: {
      'worker.mjs': `import { spawn } from 'node:child_process'; spawn('sleep', ['300']); process.on('disconnect', () => {}); process.on('message', () => process.send('done')); ${FOREVER}`,
    },
    owner: `const child = fork('worker.mjs'); child.send('go'); await new Promise((resolve) => child.once('message', resolve));`,
    processes: 3,
  },
  {
    name: 'foreground terminal command',
    needs: ['script'],
    owner: `const child = spawn('script', ['-qfc', 'echo UP; sleep 300; exit', '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'], escapees: 'kill' }); ${firstOutput('child')}`,
    processes: 4,
  },
  {
    name: 'background jobs of a shell with job control',
    needs: ['bash'],
    owner: `const child = spawn('bash', ['-c', 'set -m; nohup sleep 301 >/dev/null & (trap "" TERM; sleep 302; sleep 303) & echo UP; wait'], { stdio: ['ignore', 'pipe', 'ignore'], session: true, graceMs: 1000 }); ${firstOutput('child')}`,
    processes: 5,
  },
  {
    name: 'two bridges, npm under a shell',
    needs: ['npm'],
    files: {
      'package.json': JSON.stringify({
        private: true,
        scripts: { one: 'node bridge.mjs', two: 'node bridge.mjs' },
      }),
      'bridge.mjs': LISTEN,
    },
    owner: `const child = spawn('npm run one & npm run two & wait', { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
      let ups = 0;
      await new Promise((resolve) => child.stdout.on('data', (data) => { ups += String(data).split('UP').length - 1; if (ups === 2) resolve(); }));`,
    processes: 6,
  },
  {
    name: 'app server and speech under one shell',
    files: { 'server.mjs': LISTEN, 'speech.mjs': `process.on('SIGTERM', () => {}); ${FOREVER}` },
    owner: `const child = spawn('node speech.mjs & node speech.mjs & node server.mjs; exit', { shell: true, stdio: ['ignore', 'pipe', 'inherit'], graceMs: 1000 }); ${firstOutput('child')}`,
    processes: 5,
  },
  {
    name: 'embedded driver that leaves its group',
    owner: `const child = spawn('sh', ['-c', 'setsid sleep 301 & setsid sh -c "sleep 302 & sleep 303" & echo UP; wait'], { stdio: ['ignore', 'pipe', 'inherit'], escapees: 'kill' }); ${firstOutput('child')}`,
    processes: 6,
  },
  {
    name: 'pairing bridge that restarts itself',
    files: {
      'bridge.mjs': `import { spawn } from 'node:child_process';
        const start = () => spawn('sleep', ['300']).once('exit', start);
        start(); start(); console.log('UP'); ${FOREVER}`,
    },
    owner: `const child = spawn(process.execPath, ['bridge.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] }); ${firstOutput('child')}`,
    processes: 4,
  },
  {
    name: 'git repack of a repository',
    needs: ['git'],
    owner: `import { execFileSync } from 'node:child_process';
      execFileSync('git', ['init', '-q', 'repository']);
      // So many versions of one file that the search for the smallest deltas takes minutes.
      const versions = Array.from({ length: 400 }, (_, n) => {
        const text = Array.from({ length: 4000 }, (_, line) => ((n * 7919 + line * 104729) % 1000003) * 31 + line + ' and some words').join('\\n');
        return 'commit refs/heads/main\\ncommitter x <x@x> ' + n + ' +0000\\ndata 1\\nx\\nM 644 inline f\\ndata ' + text.length + '\\n' + text + '\\n';
      });
      // Packed loosely, which is a sixth of the work.
      execFileSync('git', ['-c', 'core.compression=0', '-c', 'pack.compression=0', 'fast-import', '--quiet', '--depth=0'], { cwd: 'repository', input: versions.join('') });
      const child = spawn('sh', ['-c', 'git -c pack.threads=1 repack -adfq --window=400 --depth=200; exit'], { cwd: 'repository', stdio: 'ignore' });`,
    processes: 4,
  },
  {
    name: 'esbuild --watch',
    needs: [installed('esbuild')],
    files: { 'entry.mjs': 'console.log(1)' },
    owner: `const child = spawn('${installed('esbuild')}/bin/esbuild', ['entry.mjs', '--bundle', '--outfile=out.js', '--watch=forever'], { stdio: ['ignore', 'ignore', 'pipe'] });
      await new Promise((resolve) => child.stderr.once('data', resolve));`,
    processes: 2,
  },
  {
    name: 'vite dev server',
    needs: [cached('vite')],
    files: { 'index.html': '<p>x' },
    owner: `const child = spawn('node', ['${cached('vite')}/bin/vite.js', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((resolve) => child.stdout.on('data', (data) => String(data).includes('ready in') && resolve()));`,
    processes: 2,
  },
];

const PRELUDES = {
  before: `import { spawn, fork } from 'node:child_process'; const own = () => {};`,
  after: `import { spawnOwned as spawn, forkOwned as fork, ownProcessGroups as own } from '${builtRuntime()}';`,
};

/** Long enough for what ends by itself to have ended: more than the grace of 3 s. */
const SETTLE_MS = 4000;

function start(kind: FamilyKind, family: Family, way: keyof typeof PRELUDES): Owner {
  mkdirSync(family.folder, { recursive: true });
  for (const [name, text] of Object.entries(kind.files ?? {})) writeFileSync(join(family.folder, name), text);
  return family.owner(`${PRELUDES[way]}\n${kind.owner}\nconsole.log('READY'); ${FOREVER}`, {
    bare: true,
    quiet: true,
  });
}

async function ready(kind: FamilyKind, family: Family, owner: Owner): Promise<void> {
  await Promise.race([
    owner.line(/READY/),
    owner.exited.then(() => Promise.reject(new Error(`${kind.name}: its owner ended`))),
  ]);
  await until(`${kind.processes} processes of ${kind.name}`, () => family.members().length >= kind.processes);
}

/** Kills an owner of the kind with child_process and one with owned-spawn, beside one that lives on. */
export async function measureFamily(
  kind: FamilyKind,
  t: { after(clean: () => Promise<void>): void },
): Promise<FamilyRow> {
  const missing = kind.needs?.find((need) => !existsSync(need) && !which(need));
  const empty = { family: kind.name, before: 0, after: 0, controlBefore: 0, controlAfter: 0 };
  if (missing !== undefined) return { ...empty, notRun: `needs ${missing}` };

  const plain = familyOf(t);
  const first = start(kind, plain, 'before');
  await ready(kind, plain, first);
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const before = plain.members().length;

  const [family, control] = [familyOf(t), familyOf(t)];
  const [owner, bystander] = [start(kind, family, 'after'), start(kind, control, 'after')];
  await Promise.all([ready(kind, family, owner), ready(kind, control, bystander)]);
  // Short-lived helpers come and go: those count that are there a while later too.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const kept = control.members();
  process.kill(owner.pid, 'SIGKILL');
  await owner.exited;
  // Who does not hear TERM has three seconds; a busy machine needs longer for all else.
  await until('nobody is left', () => family.members().length === 0, 60_000).catch(() => undefined);
  return {
    family: kind.name,
    before,
    after: family.members().length,
    controlBefore: kept.length,
    controlAfter: kept.filter(({ pid }) => isAlive(pid)).length,
  };
}
