import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { junit } from '../../rules/check/report/junit.ts';
import { terminal } from '../../runtime/cli/terminal.ts';
import { CheckProject } from '../helpers/check-project.ts';

const FILES = {
  'a&b/"host".ts': `import { spawn } from 'node:child_process';
const options = { detached: true };
export const start = () => spawn('a', [], options);
`,
  'session.ts': `import { readFileSync } from 'node:fs';
export async function load() {
  return readFileSync('a');
}
`,
};

describe('check --format junit', () => {
  it('writes a failed case a finding, with its place and its way', async () => {
    using project = new CheckProject(FILES);
    const { out, code } = await project.check(['--format', 'junit']);
    assert.equal(code, 1);
    const [head, suites, suite, ...rest] = out.split('\n');
    assert.equal(head, '<?xml version="1.0" encoding="UTF-8"?>');
    assert.equal(suites, '<testsuites name="owned-spawn" tests="2" failures="2" errors="0">');
    assert.equal(suite, '  <testsuite name="owned-spawn" tests="2" failures="2" errors="0">');
    const file = 'a&amp;b/&quot;host&quot;.ts';
    assert.equal(
      rest[0],
      `    <testcase classname="${file}" name="owned-spawn/no-detached-spawn 3:28" file="${file}">`,
    );
    assert.match(
      rest[1] ?? '',
      /^ {6}<failure type="error" message="`child_process\.spawn` [^<>"]+">a&amp;b/,
    );
    assert.equal(rest[2], `  detached (${file}:2:19)</failure>`);
    assert.match(out, /<failure type="warning" message="`readFileSync` [^<>"]+">session\.ts:3:10<\/failure>/);
    assert.ok(out.endsWith('    </testcase>\n  </testsuite>\n</testsuites>\n'));
    assert.equal((await project.check(['--format', 'junit'])).out, out);
  });

  it('writes a case that passed where there is nothing to find', async () => {
    using project = new CheckProject({ 'a.js': 'export {};\n' });
    const { out, code } = await project.check(['--format', 'junit']);
    assert.equal(code, 0);
    assert.match(out, /tests="1" failures="0"[^]*<testcase classname="owned-spawn" name="1 files"\/>/);
  });

  it('leaves out characters that XML has not', () => {
    const finding = {
      ruleId: null,
      messageId: 'unparsable',
      message: 'Unexpected \u0000\u001b[31m "\uFFFF"\nin <a> & b',
      severity: 2,
      ...{
        file: 'a.js',
        line: 1,
        column: 1,
        endLine: 1,
        endColumn: 1,
        symbol: '',
        callee: null,
        suggestions: [],
      },
    } as const;
    const files = { files: 1, faults: [], skipped: { minified: [], binary: [], unhandled: [] } };
    const result = {
      ...files,
      findings: [finding],
      exceptions: [],
      excused: [],
      checked: new Set<string>(),
      failed: false,
    };
    const out = junit(
      { ...result, findings: [{ ...finding, suggestions: [] }] },
      terminal({ write: () => 0 }, {}),
    );
    assert.match(out, /message="Unexpected \uFFFD\uFFFD\[31m &quot;\uFFFD&quot;&#10;in &lt;a&gt; &amp; b"/);
  });
});
