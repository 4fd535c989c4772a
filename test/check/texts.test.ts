import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../rules/check/run.ts';
import { DETACHED, placesOf, RULE } from './samples.ts';
import { CheckProject } from '../helpers/check-project.ts';

describe('the texts that owned-spawn check reads', () => {
  it('parses what real code is written in', async () => {
    const esm = "import { spawn } from 'child_process';\n";
    const cjs = "const { spawn } = require('child_process');\n";
    const call = "spawn('a', { detached: true });";
    const files = {
      'bom.js': `\uFEFF${DETACHED}`,
      'cast.ts': `${esm}spawn(<string>cmd, [] as T[], { detached: true });`,
      'crlf.js': DETACHED.replaceAll('\n', '\r\n'),
      'decorator.js': `${esm}${call} @b class C {}`,
      'element.js': `${esm}${call} const e = <a />;`,
      'element.jsx': `${esm}${call} const e = <a b='1'>c</a>;`,
      'element.tsx': `${esm}${call} const e: E = <a />;`,
      'generic.ts': `${esm}${call} const f = <T>(a: T) => a;`,
      'hashbang.js': `#!/usr/bin/env node\nrequire('child_process').${call}`,
      'html.js': `<!-- sloppy\nrequire('child_process').${call}`,
      'octal.js': `${cjs}${call} fs.chmodSync('a', 0755);`,
      'return.cjs': `${cjs}${call} return;`,
      'return.js': `${cjs}${call} return;`,
      'typed.js': `${esm}${call} const a: B = 1;`,
      'with.js': `${cjs}${call} with (process) {}`,
    };
    using project = new CheckProject(files);
    const { findings } = await project.findings();
    assert.deepEqual(
      findings.map(({ ruleId, file, line }) => [ruleId, file, line]),
      Object.keys(files).map((file) => [RULE, file, 2]),
    );
  });

  it('reports a file that does not parse, and goes on', async () => {
    using project = new CheckProject({
      'a.js': 'const a = ;\n',
      'b.ts': '\nlet b: = 1;\n',
      'c.js': DETACHED,
      'd.js': 'import a from "b";\nwith (a) {}\nconst = 1;\n',
    });
    const { code, findings } = await project.findings();
    assert.equal(code, 1);
    assert.deepEqual(placesOf(findings), [
      ...['a.js:1:11 unparsable', 'b.ts:2:8 unparsable', `c.js:2:1 ${RULE}`, 'd.js:3:7 unparsable'],
    ]);
    assert.match(findings[0]?.message ?? '', /^Parsing error: /);
    assert.match((await project.check([])).out, /a\.js\n {2}1:11 {2}error {2}Parsing error/);
  });

  it('skips what is no text, and says so', async () => {
    using project = new CheckProject({ 'a.js': Buffer.from([0x89, 0x50, 0, 1, 2]), 'b.js': DETACHED });
    const { findings, err } = await project.findings();
    assert.deepEqual(placesOf(findings), [`b.js:2:1 ${RULE}`]);
    assert.equal(err, '1 file skipped, not text: a.js\n');
  });

  it('skips minified files, unless asked for or named', async () => {
    const dense = `var{spawn}=require("child_process");${'function s(a){return r(a,()=>t(a))}'.repeat(100)};spawn("a",{detached:true})`;
    using project = new CheckProject({ 'a.js': dense, 'b.min.js': DETACHED });
    const { code, findings, err } = await project.findings();
    assert.deepEqual([code, findings], [0, []]);
    assert.equal(err, '2 files skipped, minified (--minified takes them): a.js, b.min.js\n');
    assert.equal((await project.findings('--minified')).findings.length, 2);
    assert.equal((await project.findings('a.js')).findings.length, 1);
  });

  it('checks a huge file of one line', async () => {
    using project = new CheckProject({
      'a.js': `require("child_process").spawn("a",{detached:true});${'f(1);'.repeat(200_000)}`,
    });
    assert.equal((await project.findings('--minified')).findings.length, 1);
  });

  it('goes on where a file cannot be read, and exits 2', async () => {
    // Permissions do not bind root: a file that vanishes meanwhile fails in the same way.
    using project = new CheckProject({ 'a.js': DETACHED, 'b.js': DETACHED });
    const result = await check({
      paths: [],
      cwd: project.folder,
      minified: false,
      ignored: false,
      signal: new AbortController().signal,
      progress: (text) => {
        if (text.endsWith('a.js')) project.remove('a.js');
      },
    });
    assert.deepEqual(placesOf(result.findings), ['a.js:1:1 unreadable', `b.js:2:1 ${RULE}`]);
    assert.match(result.findings[0]?.message ?? '', /ENOENT/);
    assert.equal(result.failed, true);
  });
});
