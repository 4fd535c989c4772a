import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

describe('what was one step by accident, by what is updated', () => {
  const ACTS: Record<string, [code: string, expected: 'left' | 'migrate']> = {
    'a file that this call made alone': [
      "const file = join('x', `${v4()}.wav`); const text = readFileSync(file); unlinkSync(file); return text;",
      'migrate',
    ],
    'a file that all calls share, though its name is random': [
      "const text = readFileSync(SHARED, 'utf8'); writeFileSync(SHARED, text + 'x');",
      'left',
    ],
    'a name that counts up': [
      "const file = `x.${count++}.tmp`; writeFileSync(file, 'x'); renameSync(file, 'x');",
      'migrate',
    ],
    'a name that each call counts up for itself': [
      "let n = 0; const file = `x.${n++}`; const text = readFileSync(file, 'utf8'); writeFileSync(file, text + 'x');",
      'left',
    ],
    'what is read before the file goes, which takes what was added with it': [
      "const text = readFileSync('queue'); rmSync('queue', { force: true }); return text;",
      'left',
    ],
    'a folder that goes only if it is empty': [
      "for (const each of readdirSync('a')) console.log(each); rmdirSync('a');",
      'migrate',
    ],
    'a call that waits after its read': ['await loaded(); await saved();', 'migrate'],
    'a call that waits for something else between both': ['const n = seen(); save(n + 1);', 'left'],
  };
  for (const [name, [code, expected]] of Object.entries(ACTS))
    it(`${expected === 'left' ? 'is left' : 'moves'}: ${name}`, async () => {
      const { said } = await moved({
        'package.json': PACKAGE,
        'a.ts': `import { existsSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { v4 } from 'uuid';
const SHARED = join('x', randomUUID());
let count = 0;
async function loaded() { const text = readFileSync('n', 'utf8'); await setTimeout(1); return text; }
async function saved() { await setTimeout(1); writeFileSync('n', 'x'); }
function seen() { return readFileSync('m', 'utf8').length + readFileSync('other', 'utf8').length; }
function save(n: number) { writeFileSync('m', String(n)); }
export async function run() { ${code} }
setInterval(() => void run(), 1000);
`,
      });
      const lines = code.includes('loaded') ? /:[89] / : code.includes('seen') ? /:1[01] / : /:12 /;
      const own = said.filter((line) => lines.test(line));
      assert.ok(own.length > 0);
      assert.deepEqual(new Set(own.map((line) => line.split(' ')[1])), new Set([expected]), own.join('\n'));
    });
});
