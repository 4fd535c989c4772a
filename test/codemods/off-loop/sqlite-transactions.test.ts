import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

describe('what reads and writes in one step', () => {
  const open = `import Database from 'better-sqlite3';
const db = new Database('x.db');
const get = db.prepare('select n from c where id = ?');
const set = db.prepare('update c set n = ? where id = ?');
`;
  const opened = `import { openDatabase } from 'owned-spawn/sqlite';
const db = openDatabase('x.db', { driver: 'better-sqlite3' });
const get = db.prepare('select n from c where id = ?');
const set = db.prepare('update c set n = ? where id = ?');
`;
  const cases: Record<string, [before: string, after: string]> = {
    'to the end of a function that returns out of it': [
      `export async function bump(id) {
  console.log(id);
  const row = get.get(id);
  if (!row) return undefined;
  set.run(row.n + 1, id);
  return row.n + 1;
}
`,
      `export async function bump(id) {
  console.log(id);
  return await db.transaction(async () => {
  const row = await get.get(id);
  if (!row) return undefined;
  await set.run(row.n + 1, id);
  return row.n + 1;
  })();
}
`,
    ],
    'with what is used behind it': [
      `export async function bump(id, res) {
  const { n } = get.get(id);
  const next = n + 1;
  set.run(next, id);
  res.json(next);
}
`,
      `export async function bump(id, res) {
  const { next } = await db.transaction(async () => {
  const { n } = await get.get(id);
  const next = n + 1;
  await set.run(next, id);
  return { next };
  })();
  res.json(next);
}
`,
    ],
    'in a loop that goes on within it, and in an expression': [
      `export async function bumpAll(ids) {
  for (const id of ids) {
    const { n } = get.get(id);
    if (n > 10) continue;
    set.run(n + 1, id);
  }
}
export const bump = async (id) => set.run(get.get(id).n + 1, id);
`,
      `export async function bumpAll(ids) {
  await db.transaction(async () => {
  for (const id of ids) {
    const { n } = await get.get(id);
    if (n > 10) continue;
    await set.run(n + 1, id);
  }
  })();
}
export const bump = async (id) => await db.transaction(async () => await set.run((await get.get(id)).n + 1, id))();
`,
    ],
    'by functions, once where those are called': [
      `const read = (id) => get.get(id).n;
const write = (id, n) => { set.run(n, id); };
export async function bump(id) { const n = read(id); if (n < 9) { write(id, n + 1); } }
`,
      `const read = async (id) => (await get.get(id)).n;
const write = async (id, n) => { await set.run(n, id); };
export async function bump(id) { await db.transaction(async () => {
const n = await read(id); if (n < 9) { await write(id, n + 1); }
})(); }
`,
    ],
  };
  for (const [what, [before, after]] of Object.entries(cases)) {
    it(`becomes a transaction, ${what}`, async () => {
      const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.js': open + before });
      assert.equal(texts['a.js'], opened + after);
      assert.ok(said.some((line) => line.includes('wrapped')));
    });
  }

  it('of a field of the class, without semicolons', async () => {
    const { texts } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import Database from 'better-sqlite3'
export class Store {
  #db
  constructor(path: string) { this.#db = new Database(path) }
  async bump(id: number) {
    const { n } = this.#db.prepare('select n from c where id = ?').get(id)
    this.#db.prepare('update c set n = ? where id = ?').run(n + 1, id)
  }
}
`,
    });
    assert.match(
      texts['a.ts'] ?? '',
      /await this\.#db\.transaction\(async \(\) => \{\n {4}const \{ n \} = await .*\n.*\n {4}\}\)\(\)\n {2}\}/,
    );
  });
});

it('a transaction that says no mode begins IMMEDIATE from now on, and that is noted; one that says its mode keeps it', async () => {
  const { texts, said } = await moved({
    'package.json': PACKAGE,
    'a.js': `import Database from 'better-sqlite3';
const db = new Database('x.db');
const add = db.transaction(() => { db.prepare('insert into c values (1)').run(); });
setTimeout(() => { add(); }, 1);
setTimeout(() => { add.deferred(); }, 1);
setTimeout(() => { add.exclusive(); }, 1);
`,
  });
  assert.match(
    texts['a.js'] ?? '',
    /await add\(\);.*\n.*await add\.deferred\(\);.*\n.*await add\.exclusive\(\);/,
  );
  assert.deepEqual(
    said.filter((line) => line.includes('begin-immediate')),
    ['a.js:4 migrate begin-immediate void-callback'],
  );
});
