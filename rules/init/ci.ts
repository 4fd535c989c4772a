import type { PackageManager } from 'owned-spawn/cli';
import type { Outcome, Project, Step } from './outcome.ts';
import { appendLines, yamlBlock } from './yaml-block.ts';

/** A service that runs jobs on every push. */
interface Service {
  /** Whether the project uses it. */
  isHere: (project: Project) => boolean;
  run: (project: Project) => Outcome;
}

const WORKFLOW = '.github/workflows/owned-spawn.yml';
const PIPELINE = '.gitlab-ci.yml';

/** Steps of GitHub Actions that bring Node and the package manager. */
const SETUP: Readonly<Record<PackageManager['name'], readonly string[]>> = {
  npm: ['- uses: actions/setup-node@v5', '  with: { node-version: 24, cache: npm }'],
  pnpm: [
    '- uses: pnpm/action-setup@v4',
    '- uses: actions/setup-node@v5',
    '  with: { node-version: 24, cache: pnpm }',
  ],
  yarn: ['- uses: actions/setup-node@v5', '  with: { node-version: 24 }', '- run: corepack enable'],
  bun: ['- uses: oven-sh/setup-bun@v2', '- uses: actions/setup-node@v5', '  with: { node-version: 24 }'],
};

function workflow({ manager }: Project): string {
  const steps = [
    '- uses: actions/checkout@v5',
    ...SETUP[manager.name],
    `- run: ${manager.install}`,
    `- run: ${manager.exec} owned-spawn check --format github`,
  ];
  return `name: owned-spawn

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    steps:
${steps.map((step) => `      ${step}\n`).join('')}`;
}

/** What has to run first in a plain image of Node. */
const PREPARE: Readonly<Partial<Record<PackageManager['name'], string>>> = {
  pnpm: 'corepack enable',
  yarn: 'corepack enable',
  bun: 'npm install --global bun',
};

function job({ manager }: Project, stage: string | undefined): string[] {
  const prepare = PREPARE[manager.name];
  return [
    'owned-spawn:',
    ...(stage === undefined ? [] : [`  stage: ${stage}`]),
    '  image: node:24',
    '  script:',
    ...(prepare === undefined ? [] : [`    - ${prepare}`]),
    `    - ${manager.install}`,
    `    - ${manager.exec} owned-spawn check --format junit > owned-spawn.xml`,
    '  artifacts:',
    '    when: always',
    '    reports:',
    '      junit: owned-spawn.xml',
  ];
}

/** A stage that a pipeline has; undefined where it has those that are there by themselves. */
function stageIn(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const block = yamlBlock(lines, ['stages']);
  if (block === undefined) return undefined;
  const listed =
    block === 'inline'
      ? /^stages:\s*\[([^\]]*)\]/m.exec(text)?.[1]?.split(',')
      : lines.slice(block.key + 1, block.end).map((line) => /^\s*-\s*([^#]*)/.exec(line)?.[1] ?? '');
  const stages = (listed ?? []).map((each) => each.trim().replaceAll(/["']/g, '')).filter(Boolean);
  // A job without a stage is in `test`.
  return stages.includes('test')
    ? undefined
    : (stages.find((each) => /lint|check|verify|quality|test/.test(each)) ?? '');
}

const SERVICES = {
  github: {
    isHere: (project) => project.list('.github').length > 0,
    run: (project) => {
      const old = project
        .list('.github/workflows')
        .some((name) => project.read(`.github/workflows/${name}`)?.includes('owned-spawn check'));
      return old ? 'present' : { files: { [WORKFLOW]: workflow(project) } };
    },
  },
  gitlab: {
    isHere: (project) => project.read(PIPELINE) !== undefined,
    run: (project) => {
      const text = project.read(PIPELINE) ?? '';
      if (text.includes('owned-spawn check')) return 'present';
      const stage = stageIn(text);
      const add = job(project, stage || undefined);
      const unsure = (why: string): Outcome => ({ unsure: why, file: PIPELINE, add: add.join('\n') });
      if (stage === '') return unsure('none of its stages is for checks');
      if (/^(?:---|\.\.\.)/m.test(text.trim().replace(/^---/, '')))
        return unsure('it holds more than one document');
      return { files: { [PIPELINE]: appendLines(text, add) } };
    },
  },
} as const satisfies Record<string, Service>;

export type CiName = keyof typeof SERVICES;
export const CI = Object.keys(SERVICES) as CiName[];

/** The step for the service that a project uses, or for a named one. */
export function ciStep(project: Project, wanted?: CiName): Step | undefined {
  const name = wanted ?? CI.find((each) => SERVICES[each].isHere(project));
  return (
    name && {
      title: `check every push, by a job of ${name === 'github' ? 'GitHub Actions' : 'GitLab'}`,
      run: SERVICES[name].run,
    }
  );
}
