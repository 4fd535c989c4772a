// Runs every script in bench/, or those whose path holds a given word; each prints its own table.
//
//   npm run bench [-- WORD…]
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const flags = process.argv.slice(2).filter((arg) => arg.startsWith('-'));
const files = readdirSync(join(root, 'bench'), { recursive: true })
  .map((name) => join('bench', name))
  .filter(
    (name) => name.endsWith('.bench.ts') && (words.length === 0 || words.some((word) => name.includes(word))),
  )
  .sort();

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
for (const file of files) {
  console.log(`\n${file}`);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...flags], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
