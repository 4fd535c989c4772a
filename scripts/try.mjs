// Shows check and the dry migration on real input: a folder, or any published package.
//
//   npm run try -- <folder | npm spec> [flags for migrate]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = (folder) => fileURLToPath(new URL(`../${folder}/bin/owned-spawn.js`, import.meta.url));
const [what, ...flags] = process.argv.slice(2);
if (what === undefined) {
  console.error(
    'usage: npm run try -- <folder | npm spec> [flags for migrate]\n  npm run try -- chrome-launcher@1.2.1 --outliving own',
  );
  process.exit(2);
}

/** Downloads and unpacks a package; a spec that npm does not know ends the run with npm's own words. */
function unpack(spec, scratch) {
  const packed = spawnSync('npm', ['pack', spec, '--json', '--pack-destination', scratch], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (packed.status !== 0) {
    console.error(`"${spec}" is no folder here, and npm cannot pack it:\n${packed.stderr.trim()}`);
    process.exit(2);
  }
  const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', tarball], { cwd: scratch });
  rmSync(join(scratch, tarball));
  return join(scratch, readdirSync(scratch)[0]);
}

const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-try-'));
process.on('exit', () => {
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const folder = existsSync(what) ? resolve(what) : unpack(what, scratch);
const run = (title, args) => {
  console.log(`\n=== owned-spawn ${title}\n`);
  return spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' }).status ?? 2;
};
const found = run('check', [bin('rules'), 'check', '.']);
const planned = run(`migrate ${flags.join(' ')}`.trim(), [bin('codemods'), 'migrate', ...flags, '.']);
process.exitCode = found === 2 || planned === 2 ? 2 : 0;
