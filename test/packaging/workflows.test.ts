// What the workflows call is there; nobody has run them here.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const workflows = join(root, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('the scripts', () => {
  const texts = new Map([
    ...readdirSync(workflows).map((name) => [name, readFileSync(join(workflows, name), 'utf8')] as const),
    ['.ci/run', readFileSync(join(root, '.ci/run'), 'utf8')],
    ...Object.entries(scripts).map(([name, text]) => [`npm run ${name}`, text] as const),
  ]);

  for (const [place, text] of texts) {
    it(`that ${place} calls are there`, () => {
      for (const [, name = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g)) assert.ok(scripts[name], name);
      for (const [, file = ''] of text.matchAll(/\bnode (?:--import tsx )?((?:scripts|bench)\/[\w/.-]+)/g))
        assert.ok(existsSync(join(root, file)), file);
    });
  }
});
