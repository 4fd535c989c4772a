import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readStat } from '../../runtime/process/identity.ts';
import type { FamilySummary, Summary } from '../../runtime/prove/summary.ts';
import { isAlive, kill } from '../helpers/processes.ts';
import { prove } from '../helpers/prove.ts';

const UP = ['--ready-text', 'up'];
const skip = process.platform === 'linux' ? false : 'looks into /proc';

describe('owned-spawn prove', { skip, concurrency: 4 }, () => {
  const bystander = spawn('sleep', ['86400'], { stdio: 'ignore' });
  const start = readStat(bystander.pid ?? 0)?.start;
  after(() => {
    assert.equal(readStat(bystander.pid ?? 0)?.start, start, 'the bystander of the tests is untouched');
    bystander.kill('SIGKILL');
  });

  it('finds what outlives a leaky program, by whatever way it left', async (t) => {
    const { code, outcome } = await prove(t, ['--json', '--wait', '1', ...UP], 'leaky');
    assert.equal(code, 1);
    assert.equal(outcome.verdict, 'survivors');
    const commands = outcome.survivors.map(({ command }) => command);
    for (const seconds of ['7101', '7102', '7103', '7104'])
      assert.ok(commands.includes(`sleep ${seconds}`), `${seconds} of ${commands.join(', ')}`);
    const [listener, ...others] = outcome.families.filter(({ ports }) => ports.length > 0);
    assert.deepEqual([listener?.family, listener?.after, others], ['node listen.mjs', 1, []]);
    assert.equal(outcome.control.after, outcome.control.before);
    assert.ok(outcome.control.before >= 4, 'the control has an owner, owned and plain children');
    for (const { pid } of outcome.survivors) assert.ok(!isAlive(pid), `${pid} was ended`);
  });

  it('shows families, survivors and the verdict as text', async (t) => {
    const { code, out } = await prove(t, ['--wait', '1', ...UP], 'leaky');
    assert.equal(code, 1);
    assert.match(out, /^Killed `.*leaky\.mjs` with SIGKILL\.$/m);
    assert.match(out, /^family +before +after +ports still taken +last death +outlives because$/m);
    assert.match(out, /^node listen\.mjs +1 +1 +\d+ /m);
    assert.match(out, /^\(control\) +(\d+) +\1 .*untouched$/m);
    assert.match(out, /^ {2}\d+ +sleep 7102$/m);
  });

  it('has nothing against a program that owns its children', async (t) => {
    const { code, outcome } = await prove(t, ['--json', ...UP], 'owned');
    assert.deepEqual(outcome.survivors, []);
    assert.equal(code, 0);
    assert.equal(outcome.verdict, 'clean');
    const { families } = outcome;
    assert.deepEqual(families.map(({ family }) => family).sort(), [
      'node listen.mjs',
      'owned-spawn supervisor',
      'sh sleep 7202 & sleep 7203; exit',
      'sleep',
    ]);
    for (const { family, lastDeathMs } of families) assert.ok(lastDeathMs !== null, `${family} died`);
  });

  it('names the deliberate survivors with their reason', async (t) => {
    const { code, outcome } = await prove(t, ['--json', ...UP], 'deliberate');
    assert.equal(code, 0);
    const why = 'the export must be finished';
    assert.deepEqual(
      outcome.survivors.map(({ family, reason }) => [family, reason]),
      Array.from({ length: 3 }, () => ['sh sleep 7302 & sleep 7303; exit', why]),
    );
    assert.deepEqual(
      outcome.families
        .filter((each) => each.after > 0)
        .map((each) => [each.after, each.deliberate, each.reason]),
      [[3, 3, why]],
    );
  });

  it('takes no reason from above the program', async (t) => {
    const { code, outcome } = await prove(t, ['--json', '--wait', '0.5', ...UP], 'leaky', {
      OWNED_SPAWN_MARK: '1.0123456789ab.1:somebody%20else;',
    });
    assert.equal(code, 1);
    assert.deepEqual([...new Set(outcome.survivors.map(({ reason }) => reason))], [null]);
  });

  it('leaves the survivors on request', async (t) => {
    const { outcome } = await prove(t, ['--json', '--wait', '0.5', '--leave', ...UP], 'leaky');
    try {
      assert.deepEqual(
        outcome.left,
        outcome.survivors.map(({ pid }) => pid),
      );
      assert.ok(outcome.left.length >= 5);
      for (const pid of outcome.left) assert.ok(isAlive(pid), `${pid} runs on`);
    } finally {
      for (const pid of outcome.left) kill(pid, 'SIGKILL');
    }
  });

  it('says so when nothing was there to be left', async (t) => {
    const { code, out } = await prove(t, [], 'childless');
    assert.equal(code, 0);
    assert.match(out, /had started no process/);
  });

  it('asks a program to end with --by exit', async (t) => {
    const { code, outcome } = await prove(t, ['--json', '--by', 'exit', ...UP], 'graceful');
    assert.equal(code, 0);
    assert.deepEqual(
      outcome.families.map((each) => [each.family, each.before, each.after]),
      [['sleep', 1, 0]],
    );
  });

  for (const by of ['term', 'stop'] as const) {
    it(`kills by ${by}`, async (t) => {
      const { code, outcome } = await prove(t, ['--json', '--by', by, ...UP], 'owned');
      assert.equal(code, 0);
      assert.equal(outcome.by, by);
      assert.ok(outcome.families.every(({ before, after }) => before > 0 && after === 0));
    });
  }

  it('takes the labels of owned children for families, however far they went', async (t) => {
    const { code, outcome } = await prove(t, ['--json', '--wait', '6', ...UP], 'labelled');
    assert.equal(code, 1);
    assert.deepEqual(outcome.families.map(({ family, after }) => [family, after]).sort(), [
      ['code cells', 1],
      ['model router', 0],
      ['owned-spawn supervisor', 0],
    ]);
  });

  it('runs several times and sums up', async (t) => {
    const { code, outcome } = await prove(t, ['--json', '--runs', '3', '--wait', '6', ...UP], 'labelled');
    assert.equal(code, 1);
    const { runs, leakyRuns, families, outcomes, verdict } = outcome as unknown as Summary;
    assert.deepEqual([runs, leakyRuns, outcomes.length, verdict], [3, 3, 3, 'survivors']);
    const family = (name: string): FamilySummary | undefined => families.find((each) => each.family === name);
    assert.deepEqual([family('code cells')?.before, family('code cells')?.leakyRuns], [3, 3]);
    assert.deepEqual([family('model router')?.after, family('model router')?.leakyRuns], [0, 0]);
  });

  it('shows several runs as text', async (t) => {
    const { code, out } = await prove(t, ['--runs', '2', ...UP], 'owned');
    assert.equal(code, 0);
    assert.match(out, /^Killed `.*owned\.mjs` with SIGKILL, 2 times\.$/m);
    assert.match(out, /^sleep +1 +0 +0 of 2 +\d+ ms /m);
    assert.match(out, /in any run\.$/m);
  });

  it('writes a Markdown table and a JUnit file', async (t) => {
    const { out } = await prove(t, ['--format', 'markdown', '--wait', '6', ...UP], 'labelled');
    assert.match(
      out,
      /^\| family \| before \| after \| ports still taken \| last death \| outlives because \|$/m,
    );
    assert.match(out, /^\| code cells \| 3 \| \*\*1\*\* \| - \| - \| - \|$/m);
    assert.match(out, /^- code cells: `sleep 7602`$/m);
    const folder = mkdtempSync(join(tmpdir(), 'prove-test-'));
    try {
      const file = join(folder, 'prove.xml');
      const flags = ['--format', 'junit', '--output', file, '--runs', '2', '--wait', '6'];
      assert.equal((await prove(t, [...flags, ...UP], 'labelled')).out, '');
      const xml = readFileSync(file, 'utf8');
      assert.match(
        xml,
        /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="[^"<]*" tests="8" failures="2">$/m,
      );
      assert.equal(xml.match(/<testsuite name="prove run \d" tests="4" failures="1">/g)?.length, 2);
      assert.equal(
        xml.match(
          /name="code cells"><failure message="1 of code cells outlived the owner without a reason">/g,
        )?.length,
        2,
      );
      const target = join(folder, 'no', 'such', 'folder');
      await assert.rejects(prove(t, ['--output', target, ...UP], 'owned'), {
        name: 'UserError',
        message: /cannot write/,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('waits for text', async (t) => {
    const { code, err } = await prove(t, ['--ready-text', 'working', '--verbose'], 'chatty');
    assert.equal(code, 0);
    assert.match(err, /working\nworking/);
  });

  it('waits for a port', async (t) => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    const late = `setTimeout(() => require('net').createServer().listen(${port}, '127.0.0.1'), 300)`;
    const run = () => prove(t, ['--ready-port', String(port)], [process.execPath, '-e', late]);
    await assert.rejects(run, { name: 'UserError', message: /is taken already/ });
    probe.close();
    await once(probe, 'close');
    assert.equal((await run()).code, 0);
  });

  const notExecutable = join(tmpdir(), `prove-test-${process.pid}`);
  writeFileSync(notExecutable, '');
  after(() => {
    rmSync(notExecutable);
  });

  const failures: [what: string, flags: string[], program: Parameters<typeof prove>[2], message: RegExp][] = [
    ['no command', [], [], /which program/],
    [
      'no such command',
      [],
      ['no-such-command-7'],
      /could not start "no-such-command-7": there is no such command/,
    ],
    ['a file that may not be executed', [], [notExecutable], /may not be executed/],
    ['no run', ['--runs', '0'], 'childless', /whole number from 1/],
    ['several runs to leave', ['--runs', '2', '--leave'], 'childless', /--leave takes one run/],
    ['a port that is none', ['--ready-port', '70000'], 'childless', /from 1 to 65535, not 70000/],
    ['a program that ends by itself', [], 'brief', /ended with code 3 before it could be killed/],
    [
      'text that never comes',
      ['--ready-text', 'never', '--ready-timeout', '1'],
      'leaky',
      /not ready within 1 s \(waited for the text "never"\)/,
    ],
    ['a program that is never quiet', ['--ready-timeout', '3'], 'chatty', /not ready within 3 s/],
    [
      'a program that does not end when asked',
      ['--by', 'exit', '--wait', '1', ...UP],
      'stubborn',
      /SIGTERM did not end the program within 1 s/,
    ],
  ];
  for (const [what, flags, program, message] of failures) {
    it(`could not: ${what}`, async (t) => {
      await assert.rejects(prove(t, flags, program), { name: 'UserError', message });
    });
  }
});
