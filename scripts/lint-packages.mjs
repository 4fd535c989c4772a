// npm run lint:packages: the packed packages as others see them (publint, attw), what nobody uses (knip), and whether the
// rules' pages say what the rules say (eslint-doc-generator). The tools come from the registry on demand, pinned.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-lint-packages-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';
const KNIP = 'knip@6.44.2';
const DOC_GENERATOR = 'eslint-doc-generator@3.7.1';

/** How each package's types are held to resolve: the plugin and the codemods are ESM only. */
const ATTW_FLAGS = {
  // `cli` is for our own two packages, which are ESM.
  runtime: ['--exclude-entrypoints', './cli'],
  rules: ['--profile', 'esm-only'],
  codemods: ['--profile', 'esm-only'],
};

/** Packs a package and returns its tarball. */
function pack(folder) {
  const into = join(scratch, folder);
  mkdirSync(into);
  execFileSync('npm', ['pack', `./${folder}`, '--silent', '--pack-destination', into], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(into, readdirSync(into)[0]);
}

const checks = [
  ...Object.entries(ATTW_FLAGS).flatMap(([folder, flags]) => {
    const tarball = pack(folder);
    return [
      { what: `publint ${folder}`, tool: PUBLINT, args: ['run', tarball, '--strict'] },
      { what: `attw ${folder}`, tool: ATTW, args: [tarball, '--no-color', '--format', 'ascii', ...flags] },
    ];
  }),
  { what: 'knip', tool: KNIP, args: ['--no-progress'] },
  { what: 'eslint-doc-generator', tool: DOC_GENERATOR, args: ['--check'], cwd: join(root, 'rules') },
];

for (const { what, tool, args, cwd = root } of checks) {
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', tool, ...args], { cwd, encoding: 'utf8' });
  console.log(`${status === 0 ? '✓' : '✗'} ${what}`);
  if (status === 0) continue;
  console.error(stdout + stderr);
  process.exitCode = 1;
}
