import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import { planText } from '../../codemods/plan/plan-text.ts';
import { familyOf, until, type Family, type Owner } from '../helpers/processes.ts';

// cm-12: a module that owns its server by hand (detached, unref, exit listener, group kill), before and after.
const root = join(import.meta.dirname, '..', '..');
const source = readFileSync(join(root, 'test/cases/inputs/cm-12/server-process.ts'), 'utf8');

function migrated(): string {
  const { edits, sites } = planText(source, 'server-process.ts', {
    outliving: 'own',
    markers: false,
    todos: false,
  });
  assert.deepEqual(
    sites.map(({ status, notes }) => [status, notes]),
    [['migrate', undefined]],
  );
  return applyEdits(source, edits);
}

/** Starts an owner with the module; its server answers no TERM. */
async function started(
  t: TestContext,
  module: string,
  then: string,
): Promise<{ family: Family; owner: Owner }> {
  const family = familyOf(t);
  const write = (name: string, text: string): void => {
    writeFileSync(join(family.folder, name), text);
  };
  mkdirSync(join(family.folder, 'node_modules'));
  symlinkSync(join(root, 'runtime'), join(family.folder, 'node_modules', 'owned-spawn'));
  write('package.json', '{ "type": "module" }');
  write('server-process.ts', module);
  write('server.js', "process.on('SIGTERM', () => {});\nsetInterval(() => {}, 1e9);\nconsole.log('up');\n");
  write(
    'owner.ts',
    `import { startServer, stopServer } from './server-process.ts';
setInterval(() => {}, 1e9);
console.log('server', startServer(0));
${then}`,
  );
  const tsx = join(root, 'node_modules/tsx/dist/esm/index.mjs');
  const owner = family.start(process.execPath, ['--import', tsx, 'owner.ts']);
  await owner.line(/^server \d+$/);
  await until('the server is up', () => {
    try {
      return readFileSync(join(family.folder, 'server.log'), 'utf8').includes('up');
    } catch {
      return false;
    }
  });
  return { family, owner };
}

const isEmpty = (family: Family) => (): boolean => family.members().length === 0;

describe('an owner made by hand, migrated', () => {
  it('leaves its server behind after kill -9 as it was', async (t) => {
    const { family, owner } = await started(t, source, '');
    owner.child.kill('SIGKILL');
    await owner.exited;
    // The owner's TypeScript loader has a helper of its own, which sees the end of its input a moment later.
    await until('only the server is left', () => family.members().length <= 1);
    assert.deepEqual(
      family.members().map(({ pid }) => pid),
      [serverPid(owner)],
    );
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`leaves nobody behind after ${signal}`, async (t) => {
      const { family, owner } = await started(t, migrated(), '');
      owner.child.kill(signal);
      await owner.exited;
      await until('nobody is left', isEmpty(family));
    });
  }

  it('stops its server once, however often it is told to', async (t) => {
    const { family, owner } = await started(
      t,
      migrated(),
      `import { readFileSync } from 'node:fs';
const timer = setInterval(() => {
  if (!readFileSync('server.log', 'utf8').includes('up')) return;
  clearInterval(timer);
  stopServer();
  stopServer();
  setTimeout(() => { stopServer(); console.log('stopped'); }, 200);
}, 20);
`,
    );
    await owner.line(/^stopped$/);
    await until('the server is gone', () => !family.members().some(({ pid }) => pid === serverPid(owner)));
    assert.ok(
      family.members().some(({ pid }) => pid === owner.pid),
      'the owner lives on',
    );
  });
});

const serverPid = ({ lines }: Owner): number =>
  Number(/\d+/.exec(lines.find((line) => line.startsWith('server')) ?? '')?.[0]);
