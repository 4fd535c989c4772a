import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install } from '../helpers/on-demand.ts';

export interface Manager {
  name: string;
  /** Files that make a folder a project of this manager. */
  files: Record<string, string>;
  add: string[];
  /** What stands before the name of an installed command. */
  run: string[];
  /** How Node is started, where modules are not found without help. */
  node: string[];
  /** Whether CommonJS can `require` an ES module of a package: not through Yarn's PnP, on Node 20. */
  requiresEsm: boolean;
  /** Whether it installs peers that the project did not name. */
  addsPeers: boolean;
  /** Files by which it adds no peers, where that is tried. */
  withoutPeers?: Record<string, string>;
}

/** The managers, pinned, from the npm registry. */
export function managers(): Manager[] {
  const bin = (path: string) =>
    join(
      install('managers', ['pnpm@12.21.0', 'yarn@1.22.22', '@yarnpkg/cli-dist@4.18.1']),
      'node_modules',
      path,
    );
  const pnpm = bin('.bin/pnpm');
  const classic = [process.execPath, bin('yarn/bin/yarn.js')];
  const berry = [process.execPath, bin('@yarnpkg/cli-dist/bin/yarn.js')];
  const node = [process.execPath];
  return [
    {
      name: 'npm',
      files: {},
      add: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
      run: ['npx', '--no-install'],
      node,
      requiresEsm: true,
      addsPeers: true,
    },
    {
      name: 'pnpm',
      files: {},
      add: [pnpm, 'add'],
      run: [pnpm, 'exec'],
      node,
      requiresEsm: true,
      addsPeers: true,
      withoutPeers: { 'pnpm-workspace.yaml': 'autoInstallPeers: false\nstrictPeerDependencies: false\n' },
    },
    {
      name: 'yarn 1',
      files: {},
      add: [...classic, 'add'],
      run: [...classic, '-s', 'run'],
      node,
      requiresEsm: true,
      addsPeers: false,
    },
    {
      name: 'yarn 4, node_modules',
      files: { 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: node-modules\n' },
      add: [...berry, 'add'],
      run: [...berry, 'run'],
      node,
      requiresEsm: true,
      addsPeers: false,
    },
    {
      name: 'yarn 4, PnP',
      files: { 'yarn.lock': '' },
      add: [...berry, 'add'],
      run: [...berry, 'run'],
      node: [...berry, 'node'],
      requiresEsm: false,
      addsPeers: false,
      withoutPeers: {},
    },
  ];
}

/** The environment in which all of them ask one registry, keep their caches in one folder, and tell nobody. */
export function environment(registry: string, caches: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NO_COLOR: '1',
    npm_config_registry: registry,
    pnpm_config_registry: registry,
    pnpm_config_store_dir: join(caches, 'pnpm'),
    YARN_CACHE_FOLDER: join(caches, 'yarn'),
    YARN_GLOBAL_FOLDER: join(caches, 'berry'),
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
  };
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Runs a command to its end; not synchronously, since the registry answers from this process. */
export async function run(
  folder: string,
  env: NodeJS.ProcessEnv,
  [command = '', ...args]: readonly string[],
): Promise<{ status: number | null; output: string }> {
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const status = await new Promise<number | null>((done, failed) => {
    child.on('error', failed).on('close', done);
  });
  return { status, output };
}
