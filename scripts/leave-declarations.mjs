// Before a package is packed, in its folder: leaves out the declarations that no entry of its `exports` leads to. Nobody can
// import them, and they are a tenth of the plugin.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const dist = join(process.cwd(), 'dist');
const declarations = readdirSync(dist, { recursive: true })
  .filter((name) => name.endsWith('.d.ts'))
  .map((name) => join(dist, name));

/** Adds a declaration file and those that it imports. */
function follow(file, reached) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles)
    if (fileName.startsWith('.')) follow(join(dirname(file), fileName.replace(/\.ts$/, '.d.ts')), reached);
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();
for (const { types } of Object.values(exports)) {
  if (!types) continue;
  const [start, end] = join(process.cwd(), types).split('*');
  for (const file of declarations)
    if (end === undefined ? file === start : file.startsWith(start) && file.endsWith(end))
      follow(file, reached);
}
const left = declarations.filter((name) => !reached.has(name));
// Renamed, so that a package that is packed meanwhile sees the whole list.
const list = join(dist, '.npmignore');
writeFileSync(`${list}.tmp`, left.map((name) => `/${relative(dist, name)}\n`).join(''));
renameSync(`${list}.tmp`, list);
