// npm run families: kinds of programs that start others, each killed with child_process and with owned-spawn, beside one
// that lives on. Prints a table, or with --json rows of family, before, after, controlBefore, controlAfter.
//
//   node scripts/families.mjs [--json] [WORD…]     only families whose name holds a word
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

/** What only the families need; never in the lockfile. */
const PACKAGES = { 'puppeteer-core': '24.43.1', 'playwright-core': '1.65.1', vite: '7.3.8' };

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, '.cache/families');
const isJson = process.argv.includes('--json');
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));

if (Object.keys(PACKAGES).some((name) => !existsSync(join(cache, 'node_modules', name)))) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }));
  // Without them their families are not run, and say so.
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: cache,
    stdio: ['ignore', 2, 2],
  });
}

register();
const { FAMILIES, measureFamily } = await import('../test/helpers/families.ts');

const rows = [];
for (const kind of FAMILIES.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)) {
  const cleanups = [];
  try {
    rows.push(await measureFamily(kind, { after: (clean) => void cleanups.push(clean) }));
  } finally {
    for (const clean of cleanups) await clean();
  }
  if (!isJson) process.stderr.write('.');
}

if (isJson) console.log(JSON.stringify(rows, null, 2));
else {
  console.log(
    `\n\nNode ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0]?.model}\n`,
  );
  console.log('| family | left with child_process | left with owned-spawn | other owner |');
  console.log('| --- | ---: | ---: | ---: |');
  for (const { family, before, after, controlBefore, controlAfter, notRun } of rows)
    console.log(
      notRun
        ? `| ${family} | not run: ${notRun} | | |`
        : `| ${family} | ${before} | ${after} | ${controlAfter} of ${controlBefore} |`,
    );
}
process.exitCode = rows.some(
  ({ after, controlBefore, controlAfter }) => after > 0 || controlAfter < controlBefore,
)
  ? 1
  : 0;
