// `check` as a task of Turborepo and Nx: an unchanged package is not analysed twice, on a second checkout neither.
// Needs the npm registry.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { PackedProject } from '../helpers/packed-project.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/monorepo.md'), 'utf8');
const example = (name: string): string =>
  new RegExp(`\`${name.replaceAll('.', '\\.')}\`[^\`]*\`\`\`json\\n([^]*?)\`\`\``).exec(page)?.[1] ??
  assert.fail(`docs/monorepo.md has no ${name}`);

const PACKAGES = ['api', 'core', 'jobs'];
const OUTPUTS = ['owned-spawn.json', 'owned-spawn.sarif'];
const SPAWN = "import { spawn } from 'node:child_process';\n";

const FILES: Record<string, string> = {
  'package.json': JSON.stringify({
    name: 'monorepo',
    private: true,
    type: 'module',
    packageManager: 'npm@11.0.0',
    workspaces: ['packages/*'],
  }),
  '.gitignore': 'node_modules\n.turbo\n.nx\nowned-spawn.json\nowned-spawn.sarif\n',
  'eslint.config.js':
    "import ownedSpawn from 'eslint-plugin-owned-spawn';\nexport default [ownedSpawn.configs.recommended];\n",
  'turbo.json': example('turbo.json'),
  'nx.json': JSON.stringify({ ...(JSON.parse(example('nx.json')) as object), neverConnectToCloud: true }),
};
for (const name of PACKAGES) {
  FILES[`packages/${name}/package.json`] = JSON.stringify({
    ...(JSON.parse(example('package.json')) as object),
    name,
    version: '1.0.0',
  });
  // Warnings and exceptions, so that the reports hold something; no errors, since a failed task is never kept.
  FILES[`packages/${name}/src/index.js`] = `${SPAWN}import { readFileSync } from 'node:fs';
const load = (path) => readFileSync(path);
export async function start() {
  // detached-spawn: ok — the updater replaces us while we are gone
  spawn('updater', [], { detached: true });
  return load('${name}');
}
`;
}

let project: PackedProject;
let second: PackedProject;
let server: Server;
/** What the remote cache holds. */
const kept = new Map<string, Buffer>();

/** The remote cache of Turborepo (https://turborepo.dev/docs/openapi) and of Nx, in memory. */
function remoteCache(): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const answer = (status: number, body?: Buffer | string): void => {
        response.writeHead(status, {
          'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
        });
        response.end(body);
      };
      if (pathname.endsWith('/status')) answer(200, '{"status":"enabled"}');
      else if (pathname.endsWith('/events')) answer(200, '{}');
      else if (request.method === 'PUT') {
        kept.set(pathname, Buffer.concat(parts));
        answer(200, '{"urls":[]}');
      } else {
        const found = kept.get(pathname);
        answer(found ? 200 : 404, request.method === 'HEAD' ? undefined : found);
      }
    });
  });
}

/** Runs an engine's `check` in a checkout; this process has to answer it meanwhile. */
async function run(
  { folder }: PackedProject,
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const child = spawn('npx', ['--no-install', ...argv], {
    cwd: folder,
    env: {
      ...process.env,
      NO_COLOR: '1',
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
      NX_DAEMON: 'false',
      NX_NO_CLOUD: 'true',
      NX_TUI: 'false',
      NX_ISOLATE_PLUGINS: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  const text = stripVTControlCharacters(output);
  assert.equal(code, 0, text);
  return text;
}

const reports = (its: PackedProject): string[] =>
  PACKAGES.flatMap((name) => OUTPUTS.map((file) => its.read(`packages/${name}/${file}`)));

function forget(its: PackedProject): void {
  for (const name of PACKAGES)
    for (const file of OUTPUTS) rmSync(join(its.folder, 'packages', name, file), { force: true });
}

before(async () => {
  project = new PackedProject(FILES);
  project.install(['eslint@10.15.0', 'typescript@6.0.3', 'turbo@2.11.11', 'nx@24.0.6']);
  second = new PackedProject();
  cpSync(project.folder, second.folder, {
    recursive: true,
    filter: (path) => !path.startsWith(join(project.folder, 'node_modules')),
  });
  symlinkSync(join(project.folder, 'node_modules'), join(second.folder, 'node_modules'));
  for (const each of [project, second]) {
    each.git('init', '-q', '-b', 'main');
    each.commit('start');
  }
  server = remoteCache().listen(0, '127.0.0.1');
  await once(server, 'listening');
});

after(() => {
  server.close();
  server.closeAllConnections();
  project[Symbol.dispose]();
  second[Symbol.dispose]();
});

const remote = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const ENGINES: Record<
  string,
  {
    argv: string[];
    env: () => NodeJS.ProcessEnv;
    /** How it says that it took all results from a cache. */
    all: RegExp;
    /** How it says that it ran the task of a package. */
    ran: (name: string) => RegExp;
  }
> = {
  turbo: {
    argv: ['turbo', 'run', 'check', '--output-logs=new-only'],
    env: () => ({ TURBO_API: remote(), TURBO_TOKEN: 'secret', TURBO_TEAM: 'team_x' }),
    all: /Cached: +3 cached, 3 total/,
    ran: (name) => new RegExp(`^${name}:check: cache (?:miss|bypass)`, 'm'),
  },
  nx: {
    argv: ['nx', 'run-many', '-t', 'check', '--outputStyle=static'],
    env: () => ({
      NX_SELF_HOSTED_REMOTE_CACHE_SERVER: remote(),
      NX_SELF_HOSTED_REMOTE_CACHE_ACCESS_TOKEN: 'secret',
    }),
    all: /3 out of 3 tasks/,
    ran: (name) => new RegExp(`^> nx run ${name}:check$`, 'm'),
  },
};

for (const [engine, { argv, env, all, ran }] of Object.entries(ENGINES)) {
  describe(`check as a task of ${engine}`, () => {
    let first: string[];

    it('runs once, and then only where something changed', async () => {
      forget(project);
      const cold = await run(project, argv, env());
      for (const name of PACKAGES) assert.match(cold, ran(name));
      first = reports(project);
      forget(project);
      assert.match(await run(project, argv, env()), all);
      assert.deepEqual(reports(project), first);
      project.lay({ 'packages/core/src/more.js': `${SPAWN}export const more = () => spawn('more');\n` });
      const warm = await run(project, argv, env());
      assert.match(warm, ran('core'));
      assert.doesNotMatch(warm, ran('api'));
      project.remove('packages/core/src/more.js');
    });

    it('runs again everywhere once the config of ESLint changes', async () => {
      project.lay({ 'eslint.config.js': `${FILES['eslint.config.js'] ?? ''}// changed\n` });
      const output = await run(project, argv, env());
      for (const name of PACKAGES) assert.match(output, ran(name));
      project.lay({ 'eslint.config.js': FILES['eslint.config.js'] ?? '' });
    });

    it('runs nothing in a second checkout, which takes the results from the remote cache', async () => {
      assert.ok(kept.size > 0);
      forget(second);
      const output = await run(second, argv, env());
      assert.match(output, all);
      assert.deepEqual(reports(second), first);
    });

    it('gives the same bytes where the second checkout runs it itself', async () => {
      forget(second);
      for (const folder of ['.turbo', '.nx', 'node_modules/.cache'])
        rmSync(join(second.folder, folder), { recursive: true, force: true });
      const output = await run(second, argv, { NX_SKIP_NX_CACHE: 'true', TURBO_FORCE: 'true' });
      for (const name of PACKAGES) assert.match(output, ran(name));
      assert.deepEqual(reports(second), first);
      for (const text of first) {
        assert.ok(!text.includes(project.folder));
        assert.doesNotMatch(text, /\d{4}-\d{2}-\d{2}T/);
      }
    });
  });
}
