import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commandLines } from '../../runtime/process/command-lines.ts';
import { familyOf, until, type Family } from '../helpers/processes.ts';
import { program } from '../helpers/prove.ts';

const BIN = fileURLToPath(new URL('../../runtime/bin/owned-spawn.js', import.meta.url));
const skip = process.platform === 'linux' ? false : 'looks into /proc';

/** The command lines of who lives. */
const running = (family: Family): string[] =>
  [...commandLines(family.members().map(({ pid }) => pid)).values()].map((words) => words.join(' '));

describe('owned-spawn prove, the command', { skip, concurrency: 3 }, () => {
  for (const times of [1, 2]) {
    it(`leaves nothing after ${times === 1 ? 'one Ctrl-C' : 'an impatient Ctrl-C'}`, async (t) => {
      const family = familyOf(t);
      const { child, exited } = family.start(process.execPath, [
        ...[BIN, 'prove', '--ready-text', 'never', '--'],
        ...program(family, 'leaky'),
      ]);
      await until('the program has started everything', () =>
        running(family).some((each) => each.endsWith('listen.mjs')),
      );
      const most = running(family).length;
      child.kill('SIGINT');
      if (times === 2) {
        await until('the first was heard', () => running(family).length < most);
        child.kill('SIGINT');
      }
      assert.deepEqual(await exited, { code: 130, signal: null });
      await until('nothing is left', () => running(family).length === 0);
    });
  }

  it('leaves nothing after its own kill -9', async (t) => {
    const family = familyOf(t);
    const words = program(family, 'leaky');
    const { child } = family.start(process.execPath, [
      ...[BIN, 'prove', '--wait', '60', '--ready-text', 'up', '--'],
      ...words,
    ]);
    const isOwnerAlive = (): boolean => running(family).includes(words.join(' '));
    await until('the owner lives', isOwnerAlive);
    await until('prove has killed it', () => !isOwnerAlive());
    child.kill('SIGKILL');
    await until('nothing is left', () => running(family).length === 0);
  });

  it('says when the kill reached another owner', async (t) => {
    const family = familyOf(t);
    const { lines, exited, closed } = family.start(process.execPath, [
      ...[BIN, 'prove', '--ready-text', 'up', '--'],
      ...program(family, 'hostile'),
    ]);
    assert.deepEqual(await exited, { code: 1, signal: null });
    await closed;
    assert.match(lines.join('\n'), /another owner, TOUCHED[^]*The kill reached processes of another owner/);
  });
});
