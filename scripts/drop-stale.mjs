// Before the build: what tsc once wrote for a source that has gone since would be packed for ever.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

for (const name of ['runtime', 'rules', 'codemods']) {
  const folder = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) continue;
  for (const file of readdirSync(dist, { recursive: true })) {
    const [, stem, mode] = /^(.*?)(?:\.d)?\.([cm]?)[jt]s$/.exec(file) ?? [];
    if (stem !== undefined && !existsSync(join(folder, `${stem}.${mode}ts`))) rmSync(join(dist, file));
  }
}
