import { noBlockingDriver } from '../../rules/no-blocking-driver.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const blocks = (driver: string, line: number, column: number) => ({
  messageId: 'blocks' as const,
  data: { driver },
  line,
  column,
  endLine: line,
  endColumn: column + 'await '.length,
});

ruleTester.run('no-blocking-driver', noBlockingDriver, {
  valid: [
    {
      name: 'the same packages on drivers that do not block, or that are not known',
      code: `
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import knex from 'knex';
const remote = createClient({ url: 'libsql://host' });
const given = createClient({ url: process.env.URL });
const pg = drizzle(pool);
const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
const other = knex({ client: 'pg' });
export async function work() {
  await remote.execute('select 1');
  await given.execute('select 1');
  await pg.select().from(users);
  await kysely.selectFrom('users').execute();
  await other('users').where('id', 1);
}
`,
    },
    {
      name: 'at the start',
      code: `
import { drizzle } from 'drizzle-orm/better-sqlite3';
const db = drizzle('a.db');
await db.run('create table if not exists t (id)');
`,
    },
  ],
  invalid: [
    {
      name: 'libsql on a file, Drizzle, Kysely and Knex on synchronous drivers',
      code: `
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import knex from 'knex';
const file = createClient({ url: \`file:\${folder}/a.db\` });
const dialect = new SqliteDialect({ database });
export class Store {
  db = drizzle('a.db');
  kysely = new Kysely({ dialect });
  constructor() { this.knex = knex({ client: 'better-sqlite3' }); }
  async work() {
    await file.execute('select 1');
    await this.db.select().from(users).where(eq(users.id, 1));
    await this.kysely.selectFrom('users').selectAll().execute();
    return await this.knex('users').where('id', 1);
  }
}
`,
      errors: [
        blocks('`@libsql/client` on a local file', 13, 5),
        blocks('Drizzle on a synchronous SQLite driver', 14, 5),
        blocks("Kysely's `SqliteDialect`", 15, 5),
        blocks('Knex on better-sqlite3', 16, 12),
      ],
    },
  ],
});
