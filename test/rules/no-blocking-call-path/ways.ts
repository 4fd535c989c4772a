import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../rules/check/finding.ts';
import { CheckProject } from '../../helpers/check-project.ts';

export const RULE = 'owned-spawn/no-blocking-call-path';

/** A module with a function that blocks. */
export const READ =
  "import fs from 'node:fs';\nexport function load(p: string) { return fs.readFileSync(p); }\n";

/** What the rule reports in a project of some files. */
export async function findingsIn(files: Readonly<Record<string, string>>): Promise<Finding[]> {
  using project = new CheckProject(files);
  const { findings } = await project.findings();
  return findings.filter(({ ruleId }) => ruleId === RULE);
}

/** Tests, for some files, the `file:line: path` of each finding. */
export function describeWays(
  programs: Readonly<Record<string, [files: Readonly<Record<string, string>>, ways: readonly string[]]>>,
): void {
  describe('no-blocking-call-path', () => {
    for (const [name, [files, ways]] of Object.entries(programs)) {
      it(`reports ${name}`, async () => {
        assert.deepEqual((await findingsIn(files)).map(wayOf), ways);
      });
    }
  });
}

function wayOf({ file, line, message }: Finding): string {
  const [, way = ''] = /: (.* → .*?\))[.,]/.exec(message) ?? [];
  return `${file}:${String(line)}: ${way}`;
}
