import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loopTable } from '../../../rules/apis/loop-table.ts';
import { SettingsError } from '../../../rules/apis/tables.ts';

describe('settings about the event loop', () => {
  it('add rows, and change what counts as on the loop', () => {
    const table = loopTable({
      blocking: [{ module: 'node:slow', path: 'default', cost: 'cpu' }],
      context: { boot: false },
    });
    assert.deepEqual(table.row('slow', ''), { module: 'node:slow', path: '', blocks: { cost: 'cpu' } });
    assert.equal(table.context.boot, false);
    assert.equal(table.context.exits, true);
    assert.match(`import slow from 'slow';`, table.mention);
  });

  for (const [settings, message] of [
    [
      { blocking: [{}] },
      `settings['owned-spawn'].blocking[0].module must be a module specifier, such as 'fs' or './lib/db'.`,
    ],
    [
      { blocking: [{ module: 'a', cost: 'much' }] },
      `settings['owned-spawn'].blocking[0].cost must be one of io, probe, child, cpu, wait.`,
    ],
    [
      { handlers: [{ module: 'a', run: 'x' }] },
      `settings['owned-spawn'].handlers[0].run is not known; known are module, path, as.`,
    ],
    [{ offLoop: {} }, `settings['owned-spawn'].offLoop must be a list.`],
    [{ context: { boot: 'no' } }, `settings['owned-spawn'].context.boot must be true or false.`],
    [
      { context: { offFiles: [1] } },
      `settings['owned-spawn'].context.offFiles must be a list of globs, such as ['scripts/**'].`,
    ],
    [
      { context: { boots: true } },
      `settings['owned-spawn'].context.boots is not known; known are offFiles, commandFiles, commands, workers, exits, boot, once, terminals, shapes, promises.`,
    ],
  ] as const) {
    it(`are refused: ${JSON.stringify(settings)}`, () => {
      assert.throws(
        () => loopTable(settings),
        (error) => error instanceof SettingsError && error.message === message,
      );
    });
  }
});

describe('the rows of the event loop', () => {
  it('name the twin of each file call that has one', () => {
    const table = loopTable();
    assert.deepEqual(table.row('fs', 'readFileSync')?.blocks?.twin, {
      module: 'fs/promises',
      name: 'readFile',
      member: 'promises.readFile',
    });
    assert.equal(table.row('fs', 'openSync')?.blocks?.twin, undefined);
    assert.equal(table.row('deno', 'readTextFileSync')?.blocks?.instead, '`Deno.readTextFile`');
    assert.equal(table.row('deno', 'readTextFile'), undefined);
  });

  it('tell node:sqlite from the package sqlite', () => {
    const table = loopTable();
    assert.equal(table.makes('node:sqlite', 'DatabaseSync'), 'Database#');
    assert.equal(table.makes('sqlite', 'Database'), undefined);
  });
});
