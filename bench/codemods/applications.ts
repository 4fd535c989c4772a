// Migrates real applications and runs their own tests before and after.
//
//   node --import tsx bench/codemods/applications.ts [--only WORD] CORPUS
//
// CORPUS holds the sources (shared/corpus/lay.mjs). Each is copied, installed, tested, migrated through the gates with every
// child owned, given the runtime as npm would install it, and tested again. Printed are both results, the sites, and what
// `check` still finds that the migration did not list as left.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Plan, Totals } from '../../codemods/plan/plan.ts';

interface Application {
  /** The beginning of the source's folder. */
  source: string;
  install: string;
  test: string;
}

const INSTALL = 'npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps';

const APPLICATIONS: readonly Application[] = [
  { source: 'npm+naught@', install: INSTALL, test: 'node test/test.js' },
  { source: 'gh+haraka+Haraka@', install: INSTALL, test: 'sh ./run_tests' },
  { source: 'gh+jhuckaby+Cronicle@', install: INSTALL, test: 'npx --no-install pixl-unit lib/test.js' },
  { source: 'gh+siteboon+claudecodeui@', install: INSTALL, test: 'npm test' },
  { source: 'gh+musistudio+claude-code-router@', install: INSTALL, test: 'npm run test:packages' },
  { source: 'npm+ghost-cli@', install: INSTALL, test: 'npm test' },
  {
    source: 'gh+badlogic+pi-mono@',
    install: `${INSTALL} && npm run build`,
    test: 'npm test -w packages/tui -w packages/agent -w packages/mom --if-present',
  },
];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const [corpus = '/tmp/corpus'] = positionals;
const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-applications-'));

const shell = (command: string, cwd: string): { code: number; out: string } => {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd,
    encoding: 'utf8',
    timeout: 900_000,
    maxBuffer: 1 << 28,
    env: { ...process.env, CI: '1', NO_COLOR: '1' },
  });
  return { code: status ?? -1, out: stdout + stderr };
};

/** The counts that test runners print at their end. */
function countsOf(out: string): string {
  const lines = out
    .split('\n')
    .filter((line) =>
      /\b\d+ (?:pass|fail|passing|passed|failed|failing|skipped|tests?)\b|^# (?:pass|fail) \d+|^ℹ (?:pass|fail) \d+|ok \d+\/\d+|\d+ of \d+ tests|\d+%/i.test(
        line,
      ),
    );
  return lines
    .slice(-4)
    .map((line) => line.trim())
    .join('; ')
    .slice(0, 160);
}

function packed(): string {
  execFileSync('npm', ['pack', '-w', 'runtime', '--pack-destination', scratch, '--silent'], { cwd: root });
  return join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
}

const tarball = packed();
const bin = join(root, 'codemods/bin/owned-spawn.js');
console.log(
  '| application | tests before | tests after | migrated | left | new in `check` |\n| --- | --- | --- | --- | --- | --- |',
);
for (const { source, install, test } of APPLICATIONS.filter(({ source: each }) =>
  each.includes(values.only ?? ''),
)) {
  const name = readdirSync(corpus).find((each) => each.startsWith(source));
  if (name === undefined) continue;
  const folder = join(scratch, name);
  cpSync(join(corpus, name), folder, {
    recursive: true,
    filter: (path) => !/[\\/](?:\.git|node_modules)$/.test(path),
  });
  try {
    shell('git init -q && git add -A && git -c user.name=t -c user.email=t@t commit -qm before', folder);
    const installed = shell(install, folder);
    if (!existsSync(join(folder, 'node_modules')) || installed.code !== 0) {
      console.log(
        `| ${name} | cannot be installed: ${installed.out.slice(-200).replace(/\s+/g, ' ')} | | | | |`,
      );
      continue;
    }
    const before = shell(test, folder);
    const json = shell(
      `node ${bin} migrate --outliving own --write --allow-dirty --report json 2>migrate.err`,
      folder,
    );
    if (json.code !== 0) console.error(name, shell('cat migrate.err', folder).out);
    const plan = JSON.parse(json.out) as Plan & { totals: Totals };
    shell(
      `npm install --no-save --ignore-scripts --no-audit --no-fund --legacy-peer-deps ${tarball}`,
      folder,
    );
    const after = shell(test, folder);
    if (after.code !== before.code || process.env.VERBOSE) {
      console.error(
        `--- ${name} before\n${before.out.slice(-3000)}\n--- ${name} after\n${after.out.slice(-3000)}`,
      );
    }
    const left = new Set(
      Object.entries(plan.files).flatMap(([file, { sites }]) =>
        sites.filter(({ status }) => status !== 'migrate').map(({ line }) => `${file}:${line}`),
      ),
    );
    const findings = JSON.parse(
      shell(`node ${join(root, 'rules/bin/owned-spawn.js')} check --format json 2>/dev/null`, folder).out,
    ) as { ruleId: string | null; file: string; line: number }[];
    const unlisted =
      findings.filter(({ ruleId }) => ruleId === 'owned-spawn/no-detached-spawn').length - left.size;
    const why = Object.entries(plan.totals.reasons).map(([reason, n]) => `${n} ${reason}`);
    const said = ({ code, out }: { code: number; out: string }): string =>
      `exit ${code}: ${countsOf(out)}`.replaceAll('|', '/');
    console.log(
      `| ${name} | ${said(before)} | ${said(after)} | ${plan.totals.migrate} | ${why.join(', ') || '0'} | ${Math.max(0, unlisted)} |`,
    );
  } catch (error) {
    console.log(`| ${name} | ${(error as Error).message.slice(0, 200)} | | | | |`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
rmSync(scratch, { recursive: true, force: true });
