import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CheckProject } from '../helpers/check-project.ts';

interface Place {
  physicalLocation: {
    artifactLocation: { uri: string };
    region: { startLine: number; startColumn: number; endLine?: number; endColumn?: number };
  };
  message?: { text: string };
}
interface Result {
  ruleId: string;
  level: string;
  message: { text: string };
  locations: Place[];
  codeFlows?: { threadFlows: { locations: { location: Place }[] }[] }[];
  suppressions?: { kind: string; justification: string }[];
  partialFingerprints?: Record<string, string>;
}
interface Log {
  $schema: string;
  version: string;
  runs: { tool: { driver: { name: string; rules: { id: string }[] } }; results: Result[] }[];
}

const SESSION = `import { readFileSync } from 'node:fs';
const load = (path: string) => readFileSync(path);
export class Session {
  async open(path: string) {
    return load(path);
  }
}
`;
const SPAWN = "import { spawn } from 'node:child_process';\n";
const HOST = `${SPAWN}const options = { detached: true };
export const start = () => spawn('a', [], options);
// detached-spawn: ok — the update helper replaces this program
export const update = () => spawn('b', [], { detached: true });
// eslint-disable-next-line owned-spawn/no-detached-spawn -- ends by itself after a minute
export const probe = () => spawn('c', [], { detached: true });
`;
const CONFIG = `const reason = 'daemons serve all sessions';
export default [{ settings: { 'owned-spawn': { allow: [{ from: 'file', path: 'daemons/*', reason }] } } }];
`;

const at = ({ physicalLocation: { artifactLocation, region }, message }: Place): string =>
  [`${artifactLocation.uri}:${region.startLine}:${region.startColumn}`, message?.text].join(' ').trimEnd();

describe('check --format sarif', () => {
  it('writes what the standard demands of a log', async () => {
    using project = new CheckProject({
      'session.ts': SESSION,
      'a b/host#1.ts': HOST,
      'broken.js': 'let = ;\n',
    });
    const { out, code } = await project.check(['--format', 'sarif']);
    assert.equal(code, 1);
    const { $schema, version, runs } = JSON.parse(out) as Log;
    assert.match($schema, /^https:.*\/sarif-schema-2\.1\.0\.json$/);
    assert.equal(version, '2.1.0');
    const [run, ...others] = runs;
    assert.ok(run && others.length === 0);
    const { tool, results } = run;
    assert.equal(tool.driver.name, 'owned-spawn');
    const ids = tool.driver.rules.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)].sort());
    assert.equal(results.length, 5);
    for (const { ruleId, level, message, locations, codeFlows = [], suppressions = [] } of results) {
      assert.ok(ids.includes(ruleId), ruleId);
      assert.match(level, /^(?:none|note|warning|error)$/);
      assert.ok(message.text);
      assert.equal(locations.length, 1);
      const flows = codeFlows.flatMap(({ threadFlows }) => threadFlows.map((each) => each.locations));
      for (const each of [...locations, ...flows.flat().map(({ location }) => location)]) {
        const { artifactLocation, region } = each.physicalLocation;
        assert.doesNotThrow(() => new URL(artifactLocation.uri, 'file:///a/'));
        assert.doesNotMatch(artifactLocation.uri, /^\/|[\\# ]/);
        for (const value of Object.values(region)) assert.ok(Number.isInteger(value) && value >= 1);
      }
      assert.ok(flows.every((each) => each.length > 0));
      for (const { kind } of suppressions) assert.match(kind, /^(?:inSource|external)$/);
    }
    assert.deepEqual(
      results.filter(({ suppressions }) => !suppressions).map(({ locations: [place] }) => place && at(place)),
      ['a%20b/host%231.ts:3:28', 'broken.js:1:7', 'session.ts:5:12'],
    );
  });

  it('draws the way from a finding to what decides', async () => {
    using project = new CheckProject({ 'session.ts': SESSION, 'host.ts': HOST });
    const { out } = await project.check(['--format', 'sarif']);
    const flows = (JSON.parse(out) as Log).runs[0]?.results.flatMap(({ codeFlows = [] }) =>
      codeFlows.flatMap(({ threadFlows }) =>
        threadFlows.map(({ locations }) => locations.map(({ location }) => at(location))),
      ),
    );
    assert.deepEqual(flows, [
      ['host.ts:3:28 child_process.spawn', 'host.ts:2:19 detached'],
      ['session.ts:5:12 load', 'session.ts:2:32 readFileSync'],
    ]);
  });

  it('lists what is excused as suppressed, with its reason', async () => {
    using project = new CheckProject({
      'host.ts': HOST,
      'daemons/a.js': `${SPAWN}spawn('d', [], { detached: true });\n`,
      'eslint.config.mjs': `// owned-spawn\n${CONFIG}`,
    });
    const { out } = await project.check(['--format', 'sarif', '--config', 'eslint.config.mjs', 'daemons']);
    const excused = (text: string): string[] | undefined =>
      (JSON.parse(text) as Log).runs[0]?.results.flatMap(({ locations: [place], suppressions = [] }) =>
        suppressions.map(({ kind, justification }) => `${place ? at(place) : ''} ${kind}: ${justification}`),
      );
    assert.deepEqual(excused(out), ['a.js:2:1 external: daemons serve all sessions']);
    project.remove('eslint.config.mjs');
    assert.deepEqual(excused((await project.check(['--format', 'sarif', 'host.ts'])).out), [
      'host.ts:7:28 inSource: ends by itself after a minute',
      'host.ts:4:4 inSource: the update helper replaces this program',
    ]);
  });

  it('gives identical bytes, and fingerprints that do not depend on lines', async () => {
    using project = new CheckProject({ 'host.ts': HOST, 'session.ts': SESSION });
    const [first, second] = [
      await project.check(['--format', 'sarif']),
      await project.check(['--format', 'sarif']),
    ];
    assert.equal(first.out, second.out);
    project.lay({ 'host.ts': `\n\n${HOST}`, 'session.ts': `// a comment\n${SESSION}` });
    const prints = (out: string): unknown[] | undefined =>
      (JSON.parse(out) as Log).runs[0]?.results.map(({ partialFingerprints }) => partialFingerprints);
    assert.deepEqual(prints((await project.check(['--format', 'sarif'])).out), prints(first.out));
  });
});

describe('check --format github', () => {
  it('writes a workflow command a finding, escaped as the runner reads it', async () => {
    using project = new CheckProject({
      'a,b:c%/host.ts': HOST,
      'session.ts': SESSION,
      'broken.js': 'let = ;\n',
    });
    const { out, code } = await project.check(['--format', 'github']);
    assert.equal(code, 1);
    const lines = out.split('\n');
    assert.equal(lines.pop(), '');
    assert.match(
      lines[0] ?? '',
      /^::error file=a%2Cb%3Ac%25\/host\.ts,line=3,col=28::`child_process\.spawn` .+ \(owned-spawn\/no-detached-spawn\)$/,
    );
    assert.match(lines[1] ?? '', /^::error file=broken\.js,line=1,col=7::Parsing error/);
    assert.match(lines[2] ?? '', /^::warning file=session\.ts,line=5,col=12::.+load.+no-blocking-call\)$/);
    assert.equal(lines.length, 3);
  });

  it('prints nothing where there is nothing', async () => {
    using project = new CheckProject({ 'a.js': 'export {};\n' });
    assert.deepEqual(await project.check(['--format', 'github']), { code: 0, out: '', err: '' });
  });
});
