import assert from 'node:assert/strict';
import { it } from 'node:test';
import { moved } from './plan.ts';

it('an await that stood before what blocks is used, not doubled', async () => {
  const { texts, said } = await moved({
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
    'a.js': `import fs from 'node:fs';
const one = (path) => fs.readFileSync(path, 'utf8');
export async function all(paths) {
  const names = await fs.readdirSync('.');
  const texts = await paths.map((path) => fs.readFileSync(path, 'utf8'));
  for (const path of paths) texts.push(await fs.existsSync(path), (await fs.statSync(path)).size);
  return [names, texts, await one('b')];
}
`,
  });
  assert.equal(
    texts['a.js'],
    `import fs from 'node:fs';
const one = async (path) => await fs.promises.readFile(path, 'utf8');
export async function all(paths) {
  const names = await fs.promises.readdir('.');
  const texts = await Promise.all(paths.map(async (path) => await fs.promises.readFile(path, 'utf8')));
  for (const path of paths) texts.push(await fs.promises.access(path).then(() => true, () => false), (await fs.promises.stat(path)).size);
  return [names, texts, await one('b')];
}
`,
    said.join('\n'),
  );
});
