// Migrates the files of a folder from `before` to `after`, and kills itself right before a call of the file system.
//
//   node --import tsx killed-writer.ts FOLDER CALL N
import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { replaceFiles, withJournal } from '../../codemods/apply/journal.ts';

const [folder = '', call = '', n = ''] = process.argv.slice(2);
const target = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
const real = target[call];
if (!real) throw new Error(`there is no fs.${call}`);
let calls = 0;
target[call] = (...args) => {
  if (++calls === Number(n)) process.kill(process.pid, 'SIGKILL');
  return real(...args);
};
syncBuiltinESMExports();

const changes = readdirSync(folder)
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ path: join(folder, name), before: 'before', after: 'after' }));
await withJournal(folder, () => replaceFiles(folder, changes, new AbortController().signal));
console.log(calls);
