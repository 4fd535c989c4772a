// The plugin ships its pages: a rule's URL opens the one of the installed version.
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../rules/docs', import.meta.url));
rmSync(target, { recursive: true, force: true });
cpSync(fileURLToPath(new URL('../docs', import.meta.url)), target, { recursive: true });
