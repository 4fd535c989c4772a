import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyEdits } from '../../rules/edits/edit.ts';
import type { Finding } from '../../rules/check/finding.ts';
import { DETACHED, placesOf, RULE } from './samples.ts';
import { CheckProject } from '../helpers/check-project.ts';

describe('what owned-spawn check reports', () => {
  it('reports in JSON the calls that lead to one that blocks, and the API at the end', async () => {
    using project = new CheckProject({
      'src/session.ts': `import { readFileSync } from 'node:fs';
const load = (path: string) => readFileSync(path);
const save = (path: string) => load(path).length + load(path).length;
export class Session {
  async open(path: string) {
    return save(path);
  }
  async direct(path: string) {
    return readFileSync(path);
  }
}
`,
    });
    const { findings } = await project.findings();
    const file = 'src/session.ts';
    assert.deepEqual(
      findings.map(({ ruleId, line, symbol, callee, path }) => ({ ruleId, line, symbol, callee, path })),
      [
        {
          ruleId: 'owned-spawn/no-blocking-call',
          line: 6,
          symbol: 'Session.open',
          callee: 'fs.readFileSync',
          path: [
            { name: 'save', file, line: 6, column: 12 },
            { name: 'load', file, line: 3, column: 32 },
            { name: 'readFileSync', file, line: 2, column: 32 },
          ],
        },
        {
          ruleId: 'owned-spawn/no-blocking-call',
          line: 9,
          symbol: 'Session.direct',
          callee: 'fs.readFileSync',
          path: undefined,
        },
      ],
    );
  });

  it('reports in JSON where a child is detached, in whom, and what to do', () => {
    using project = new CheckProject({
      'src/host.js': `import * as cp from 'node:child_process';
export class Host {
  start() {
    return cp.spawn('server', [], { detached: true });
  }
}
`,
      'src/clean.js': "import { spawn } from 'node:child_process';\nspawn('server');\n",
    });
    const { code, out } = project.checkAsUser(['--format', 'json']);
    const findings = JSON.parse(out) as Finding[];
    assert.equal(code, 1);
    assert.deepEqual(placesOf(findings), [`src/host.js:4:15 ${RULE}`]);
    const [finding] = findings;
    assert.deepEqual(Object.keys(finding ?? {}), [
      ...['ruleId', 'messageId', 'message', 'severity', 'file', 'line', 'column', 'endLine', 'endColumn'],
      ...['symbol', 'callee', 'suggestions'],
    ]);
    assert.equal(finding?.severity, 2);
    assert.equal(finding.symbol, 'Host.start');
    assert.equal(finding.callee, 'child_process.spawn');
    const text = project.read('src/host.js');
    for (const { desc, edits } of finding.suggestions) assert.notEqual(applyEdits(text, edits), text, desc);
  });

  it('gives identical bytes for identical input, in the order of file, line and column', async () => {
    using project = new CheckProject({
      'b.js': DETACHED + "spawn('a', { detached: true });\n",
      'a/z.js': DETACHED,
      'B.js': DETACHED,
    });
    const [first, second] = [
      await project.check(['--format', 'json']),
      await project.check(['--format', 'json']),
    ];
    assert.equal(first.out, second.out);
    assert.deepEqual(placesOf(JSON.parse(first.out) as Finding[]), [
      ...[`B.js:2:1 ${RULE}`, `a/z.js:2:1 ${RULE}`, `b.js:2:1 ${RULE}`, `b.js:3:1 ${RULE}`],
    ]);
  });

  it('checks by parts, which together find what one run finds', async () => {
    using project = new CheckProject({
      'lib.js': "const fs = require('fs');\nexports.load = (path) => fs.readFileSync(path);\n",
      ...Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          `${name}.js`,
          "const { load } = require('./lib');\nexports.get = async () => load('x');\n",
        ]),
      ),
    });
    const all = (await project.findings()).findings;
    assert.equal(all.length, 3);
    const parts = [await project.findings('--shard', '1/2'), await project.findings('--shard', '2/2')].map(
      ({ findings }) => findings,
    );
    assert.ok(parts.every((part) => part.length > 0));
    assert.deepEqual(placesOf(parts.flat()).sort(), placesOf(all));
    for (const wrong of ['0/2', '3/2', '2', 'a/b'])
      await assert.rejects(project.check(['--shard', wrong]), { message: /^--shard takes a part/ });
  });

  it('names files relative to the one folder given, else to the current one', async () => {
    using project = new CheckProject({ 'app/src/a.js': DETACHED, 'lib/b.js': DETACHED });
    assert.deepEqual(placesOf((await project.findings(join(project.folder, 'app'))).findings), [
      `src/a.js:2:1 ${RULE}`,
    ]);
    assert.deepEqual(placesOf((await project.findings('app/src/a.js', 'lib')).findings), [
      ...[`app/src/a.js:2:1 ${RULE}`, `lib/b.js:2:1 ${RULE}`],
    ]);
  });

  it('counts the offsets of edits without the byte order mark', async () => {
    using project = new CheckProject({ 'a.js': DETACHED, 'b.js': `\uFEFF${DETACHED}` });
    const [a, b] = (await project.findings()).findings;
    assert.deepEqual({ ...a, file: 'b.js' }, b);
  });
});
