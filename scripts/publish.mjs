// The last step of .github/workflows/release.yml: publishes what the registry does not have yet, with provenance. The
// registry refuses provenance where `repository` is not the repository that was built, and only the workflow knows that.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
if (!server || !repository) {
  console.error(
    'GITHUB_SERVER_URL and GITHUB_REPOSITORY are not set: releases are published by the workflow.',
  );
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });

for (const folder of ['runtime', 'rules', 'codemods']) {
  run(
    'npm',
    'pkg',
    'set',
    'repository.type=git',
    `repository.url=git+${server}/${repository}.git`,
    `repository.directory=${folder}`,
    `--workspace=${folder}`,
  );
}
run('npm', 'run', 'build');
run('npx', '--yes', '@changesets/cli@2.31.1', 'publish');
