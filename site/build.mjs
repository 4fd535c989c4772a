// Gathers the pages of the site: docs/ as it is, the changelogs, and the few pages that only the site has.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePlayground } from './playground/bundle.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const pages = here('.pages');

rmSync(pages, { recursive: true, force: true });
cpSync(here('../docs'), pages, { recursive: true });
cpSync(here('pages'), pages, { recursive: true });
writeFileSync(
  `${pages}/changelog.md`,
  ['rules', 'codemods', 'runtime']
    .map((folder) => readFileSync(here(`../${folder}/CHANGELOG.md`), 'utf8').replaceAll(/^#/gm, '##'))
    .join('\n')
    .replace(/^/, '# Changelog\n\n'),
);
mkdirSync(`${pages}/public`);
await bundlePlayground(`${pages}/public/playground.js`);
