// Before the runtime is packed, in its folder: it goes into production images, and 300 kB is its budget (test/packaging/budget.test.ts).
// Takes comments, white space and local names out of its built JavaScript, in place; functions keep their names, for
// stack traces, and the next build writes anew what has changed. Not the plugin: who develops reads its code, and its lines.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const dist = join(process.cwd(), 'dist');
const built = readdirSync(dist, { recursive: true }).map((name) => join(dist, name));

/** Renamed, so that nobody who reads it meanwhile finds half a file. */
function replace(file, text) {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

/** esbuild makes a require() in an ES module throw (evanw/esbuild#1921), also that of a module which Node itself has. */
const builtin = (call, name) =>
  `(()=>{try{return ${call}}catch{return process.getBuiltinModule("${name}")}})()`;

for (const file of built.filter((name) => name.endsWith('.js'))) {
  // Not minifySyntax: Node's search for the names that a CommonJS module exports does not know its forms.
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    minifyWhitespace: true,
    minifyIdentifiers: true,
    target: 'es2022',
  });
  // What is packed a second time has it already: tsc writes anew only what has changed.
  replace(
    file,
    code.replace(/(?<![.\w])require\("(node:[\w/]+)"\)(?!\}catch\{return process\.getBuiltin)/g, builtin),
  );
}
