// One process for all rule tests: see scripts/test.mjs.
import { readdirSync } from 'node:fs';

for (const name of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).sort()) {
  if (name.endsWith('.test.ts')) await import(`./${name}`);
}
