// The plugin ships its pages: a rule's URL opens the one of the installed version. What only lines their tables up stays
// behind: it is a quarter of them.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../rules/docs', import.meta.url));
rmSync(target, { recursive: true, force: true });
cpSync(fileURLToPath(new URL('../docs', import.meta.url)), target, { recursive: true });
for (const name of readdirSync(target, { recursive: true })) {
  if (!name.endsWith('.md')) continue;
  const path = join(target, name);
  writeFileSync(path, unpadded(readFileSync(path, 'utf8')));
}

/** @param {string} page */
function unpadded(page) {
  let isCode = false;
  return page
    .split('\n')
    .map((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      if (isCode || !line.startsWith('|')) return line;
      return /^[|: -]+$/.test(line) ? line.replace(/-{4,}/g, '---') : line.replace(/ +\|/g, ' |');
    })
    .join('\n');
}
