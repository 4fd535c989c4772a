import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { command as markers } from '../../rules/commands/markers.ts';
import { CheckProject } from '../helpers/check-project.ts';
import { runCommand } from '../helpers/run-command.ts';

/** The OASIS schema, as https://github.com/oasis-tcs/sarif-spec has it. */
const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/sarif-schema-2.1.0.json'), 'utf8'),
) as Record<string, unknown>;
// Of what draft 4 of JSON Schema has of its own the schema uses but these two.
const { $schema, id, ...rest } = schema;
const ajv = new Ajv({ strict: false, allErrors: true });
// Its types say that a module has a default, which it then has twice.
(formats as unknown as (it: Ajv) => void)(ajv);
const validate = ajv.compile(rest);

const SPAWN = "import { spawn } from 'node:child_process';\n";
const FILES = {
  'session.ts': `import { readFileSync } from 'node:fs';
const load = (path: string) => readFileSync(path);
export class Session {
  async open(path: string) {
    return load(path);
  }
}
`,
  'a b/host#1.ts': `${SPAWN}const options = { detached: true };
export const start = () => spawn('a', [], options);
// detached-spawn: ok — the update helper replaces this program [until=2020-01-01 ref=#1]
export const update = () => spawn('b', [], { detached: true });
// eslint-disable-next-line owned-spawn/no-detached-spawn -- ends by itself after a minute
export const probe = () => spawn('c', [], { detached: true });
`,
  'broken.js': 'let = ;\n',
  'far.ts': "import { near } from './near.js';\nexport async function far() {\n  near();\n}\n",
  'near.ts': "import { execSync } from 'node:child_process';\nexport const near = () => execSync('ls');\n",
  'daemons/a.js': `${SPAWN}spawn('d', [], { detached: true });\n`,
  'eslint.config.mjs': `// owned-spawn
const reason = 'daemons serve all sessions';
export default [{ settings: { 'owned-spawn': { allow: [{ from: 'file', path: 'daemons/*', reason }] } } }];
`,
};

function assertValid(out: string): void {
  assert.ok(validate(JSON.parse(out)), JSON.stringify(validate.errors, null, 2));
}

describe('SARIF logs are as the schema has them', () => {
  it('of the standard that they name', () => {
    assert.equal(
      id,
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    );
    assert.match(String($schema), /draft-04/);
    assert.equal(validate({ version: '2.1.0', runs: [{ tool: {} }] }), false);
  });

  it('of check: findings, ways through other files, what is excused, what cannot be parsed', async () => {
    using project = new CheckProject(FILES);
    project.remove('eslint.config.mjs');
    const { out } = await project.check(['--format', 'sarif']);
    assertValid(out);
    const log = JSON.parse(out) as { $schema: string; runs: { results: { codeFlows?: unknown }[] }[] };
    assert.equal(log.$schema, id);
    const flows = log.runs[0]?.results.filter(({ codeFlows }) => codeFlows);
    assert.equal(flows?.length, 3);
  });

  it('of check without a finding, and of markers', async () => {
    using project = new CheckProject({ ...FILES, 'clean/a.js': 'export {};\n' });
    project.remove('broken.js');
    assertValid((await project.check(['--format', 'sarif', 'clean'])).out);
    const argv = ['--format', 'sarif', '--config', 'eslint.config.mjs', '.'];
    const { out } = await runCommand(markers, argv, { cwd: project.folder });
    assertValid(out);
    assert.match(out, /"suppressions"/);
  });
});
