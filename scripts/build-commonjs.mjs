// The runtime's CommonJS twin: the same sources compiled once more, under a package.json that says so.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'runtime/tsconfig.cjs.json'], {
  cwd: root,
  stdio: 'inherit',
});
writeFileSync(new URL('../runtime/dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
