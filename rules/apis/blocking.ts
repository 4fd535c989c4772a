import type { Blocks, Cost, LoopRow, Twin } from './loop-rows.ts';

/** Rows of one module that block alike; `{}` in the replacement stands for the name without `Sync`. */
function rows(
  module: string,
  cost: Cost,
  names: readonly string[],
  instead?: string,
  more: Partial<Blocks> = {},
): LoopRow[] {
  return names.map((path) => ({
    module,
    path,
    blocks: { cost, ...(instead ? { instead: instead.replaceAll('{}', plain(path)) } : {}), ...more },
  }));
}

const plain = (path: string) => path.replace(/^.*\./, '').replace(/Sync$/, '');

/** Rows whose twins their module exports too, under the name without `Sync`. */
const twins = (module: string, cost: Cost, names: readonly string[], instead: string, form?: Twin['form']) =>
  rows(module, cost, names, instead, form === 'output' ? timed : {}).map((row): LoopRow => {
    const name = plain(row.path);
    const twin: Twin = { module, name, member: name, ...(form ? { form } : {}) };
    return row.blocks ? { ...row, blocks: { ...row.blocks, twin } } : row;
  });

const timed = { hasTimeout: true } as const;

/** One small question each: `stat` takes 3 µs here and 40 µs through the thread pool. */
const PROBES = ['existsSync', 'accessSync', 'statSync', 'lstatSync', 'fstatSync', 'mkdirSync'];
const IO = [
  'appendFileSync',
  'chmodSync',
  'chownSync',
  'copyFileSync',
  'cpSync',
  'globSync',
  'lchmodSync',
  'lchownSync',
  'linkSync',
  'lutimesSync',
  'mkdtempSync',
  'opendirSync',
  'readdirSync',
  'readFileSync',
  'readlinkSync',
  'realpathSync',
  'renameSync',
  'rmdirSync',
  'rmSync',
  'statfsSync',
  'symlinkSync',
  'truncateSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
];
/** By descriptor: their twins are methods of a FileHandle. */
const BY_DESCRIPTOR = [
  'closeSync',
  'fchmodSync',
  'fchownSync',
  'fdatasyncSync',
  'fsyncSync',
  'ftruncateSync',
  'futimesSync',
  'openSync',
  'readSync',
  'readvSync',
  'writeSync',
  'writevSync',
];
/** Twins that are called alike and give what the blocking call gives. */
const TWINS = new Set([...IO, 'accessSync', 'statSync', 'lstatSync', 'mkdirSync']);
const NO_TWIN = new Set(['lchmodSync', 'globSync']);

/** Node's file system and what has its shape; `promises` is where that module keeps its promise functions. */
function likeFs(module: string, promises: 'promises.' | ''): LoopRow[] {
  const row = (path: string, cost: Cost): LoopRow => {
    const name = plain(path);
    const member = `${promises}${name}`;
    const instead =
      name === 'exists'
        ? '`fs.promises.access`'
        : BY_DESCRIPTOR.includes(path)
          ? 'a `FileHandle` of `fs.promises.open`'
          : `\`${promises === '' ? `${module}.` : 'fs.promises.'}${name}\``;
    const hasTwin = TWINS.has(path) && !NO_TWIN.has(path);
    const from = promises === '' ? module : 'fs/promises';
    const twin: Twin | undefined = hasTwin
      ? { module: from, name, member }
      : name === 'exists' && promises !== ''
        ? { module: from, name: 'access', member: `${promises}access`, form: 'probe' }
        : undefined;
    return { module, path, blocks: { cost, instead, ...(twin ? { twin } : {}) } };
  };
  return [
    ...PROBES.map((name) => row(name, 'probe')),
    ...[...IO, ...BY_DESCRIPTOR].map((name) => row(name, 'io')),
    { module, path: 'realpathSync.native', blocks: { cost: 'io', instead: '`fs.promises.realpath`' } },
  ];
}

const PROMISIFIED = '`{}`, promisified';
const ASYNC = '`{}`';

/** The calls that block the event loop, SQLite's left out. */
export const blockingRows: readonly LoopRow[] = [
  ...likeFs('fs', 'promises.'),
  ...likeFs('graceful-fs', 'promises.'),
  ...likeFs('fs-extra', ''),
  ...likeFs('mz/fs', ''),
  ...twins(
    'fs-extra',
    'probe',
    ['pathExistsSync', 'ensureDirSync', 'mkdirsSync', 'mkdirpSync'],
    '`fs-extra.{}`',
  ),
  ...twins(
    'fs-extra',
    'io',
    [
      'copySync',
      'createFileSync',
      'emptyDirSync',
      'emptydirSync',
      'ensureFileSync',
      'ensureLinkSync',
      'ensureSymlinkSync',
      'moveSync',
      'outputFileSync',
      'outputJSONSync',
      'outputJsonSync',
      'readJSONSync',
      'readJsonSync',
      'removeSync',
      'writeJSONSync',
      'writeJsonSync',
    ],
    '`fs-extra.{}`',
  ),

  ...twins('child_process', 'child', ['execFileSync', 'execSync'], PROMISIFIED, 'output'),
  ...rows('child_process', 'child', ['spawnSync'], 'the `close` event of `spawn`', timed),
  ...rows('cross-spawn', 'child', ['sync', 'spawnSync'], 'the `close` event of `spawn`', timed),
  ...rows(
    'execa',
    'child',
    ['execaSync', 'execaCommandSync', 'sync', 'commandSync', 'shellSync'],
    '`execa`',
    timed,
  ),
  ...rows('execa', 'child', ['$.sync', '$.s'], '`$`'),
  ...rows('zx', 'child', ['$.sync'], '`$`'),
  ...rows('tinyexec', 'child', ['xSync', 'execSync'], '`x`'),
  ...rows('shelljs', 'child', ['exec'], '`child_process.exec`, promisified', { when: 'not-async' }),
  ...rows(
    'shelljs',
    'io',
    ['cat', 'cp', 'find', 'grep', 'ln', 'ls', 'mv', 'rm', 'sed', 'touch'],
    '`fs.promises`',
  ),
  ...rows('bun', 'child', ['spawnSync'], '`Bun.spawn`'),
  ...rows('sync-exec', 'child', [''], '`child_process.exec`, promisified'),

  // `hkdfSync` is left out: it is two or three HMACs, microseconds.
  ...twins(
    'crypto',
    'cpu',
    [
      'pbkdf2Sync',
      'scryptSync',
      'generateKeyPairSync',
      'generateKeySync',
      'generatePrimeSync',
      'checkPrimeSync',
    ],
    PROMISIFIED,
    'promisified',
  ),
  ...twins(
    'zlib',
    'cpu',
    [
      'brotliCompressSync',
      'brotliDecompressSync',
      'deflateRawSync',
      'deflateSync',
      'gunzipSync',
      'gzipSync',
      'inflateRawSync',
      'inflateSync',
      'unzipSync',
      'zstdCompressSync',
      'zstdDecompressSync',
    ],
    PROMISIFIED,
    'promisified',
  ),
  ...['bcrypt', 'bcryptjs', '@node-rs/bcrypt'].flatMap((module) =>
    twins(module, 'cpu', ['hashSync', 'compareSync', 'verifySync'], ASYNC),
  ),
  ...rows('bcrypt-nodejs', 'cpu', ['hashSync', 'compareSync'], ASYNC),
  ...twins('@node-rs/argon2', 'cpu', ['hashSync', 'verifySync'], ASYNC),
  ...rows(
    'fflate',
    'cpu',
    [
      'deflateSync',
      'gunzipSync',
      'gzipSync',
      'inflateSync',
      'unzipSync',
      'unzlibSync',
      'zipSync',
      'zlibSync',
    ],
    ASYNC,
  ),
  ...twins('esbuild', 'cpu', ['analyzeMetafileSync', 'buildSync', 'transformSync'], ASYNC),
  ...twins(
    '@swc/core',
    'cpu',
    ['bundleSync', 'minifySync', 'parseFileSync', 'parseSync', 'transformFileSync', 'transformSync'],
    ASYNC,
  ),
  ...rows('@babel/core', 'cpu', ['transformFileSync', 'transformFromAstSync', 'transformSync'], '`{}Async`'),
  ...rows('sass', 'cpu', ['compile', 'renderSync'], '`compileAsync`'),
  ...rows('v8', 'io', ['writeHeapSnapshot']),

  ...rows('global', 'wait', ['Atomics.wait'], '`Atomics.waitAsync`', { when: 'waits' }),
  ...rows('deasync', 'wait', ['loopWhile', 'runLoopOnce', 'sleep'], 'what it waits for'),
  { module: 'deasync', path: '', returns: 'Sync#' },
  { module: 'deasync', path: 'Sync#', blocks: { cost: 'wait', instead: 'the function itself, awaited' } },
  { module: 'synckit', path: 'createSyncFn', returns: 'Sync#' },
  {
    module: 'synckit',
    path: 'Sync#',
    blocks: { cost: 'wait', instead: 'the function of its worker, awaited' },
  },
  ...rows('sync-request', 'io', [''], '`fetch`'),
  ...rows('sync-fetch', 'io', [''], '`fetch`'),
  ...rows('electron', 'wait', ['ipcRenderer.sendSync'], '`ipcRenderer.invoke`'),
  ...rows(
    'electron',
    'wait',
    ['dialog.showMessageBoxSync', 'dialog.showOpenDialogSync', 'dialog.showSaveDialogSync'],
    '`dialog.showMessageBox` and its kin',
  ),

  ...rows('glob', 'io', ['sync', 'globSync', 'glob.sync'], '`glob`'),
  ...rows('fast-glob', 'io', ['sync', 'globSync'], '`glob`'),
  ...rows('tinyglobby', 'io', ['globSync'], '`glob`'),
  ...rows('tiny-glob/sync', 'io', [''], '`tiny-glob`'),
  ...rows('globby', 'io', ['sync', 'globbySync'], '`globby`'),
  ...rows('which', 'io', ['sync'], '`which`'),
  ...rows('mkdirp', 'probe', ['sync', 'mkdirpSync', 'mkdirp.sync'], '`mkdirp`'),
  ...rows('make-dir', 'probe', ['sync', 'makeDirectorySync'], '`make-dir`'),
  ...rows('rimraf', 'io', ['sync', 'rimrafSync', 'rimraf.sync'], '`rimraf`'),
  ...rows('del', 'io', ['sync', 'deleteSync'], '`del`'),
  ...rows('write-file-atomic', 'io', ['sync'], '`write-file-atomic`'),
  ...twins('atomically', 'io', ['readFileSync', 'writeFileSync'], ASYNC),
  ...twins('jsonfile', 'io', ['readFileSync', 'writeFileSync'], ASYNC),
  ...rows('steno', 'io', ['writeFileSync'], '`writeFile`'),
  ...rows('klaw-sync', 'io', [''], '`klaw`'),
  ...rows('walk-sync', 'io', [''], '`fs.promises.readdir`'),
  ...rows('find-up', 'io', ['sync', 'findUpSync'], '`findUp`'),
  ...rows('locate-path', 'io', ['sync', 'locatePathSync'], '`locatePath`'),
  ...rows('read-pkg', 'io', ['sync', 'readPackageSync'], '`readPackage`'),
  ...rows('read-pkg-up', 'io', ['sync', 'readPackageUpSync'], '`readPackageUp`'),
  ...rows('load-json-file', 'io', ['sync', 'loadJsonFileSync'], '`loadJsonFile`'),
  ...rows('write-json-file', 'io', ['sync', 'writeJsonFileSync'], '`writeJsonFile`'),
  ...rows('resolve', 'io', ['sync'], '`resolve` with a callback'),
  ...rows('tmp', 'io', ['dirSync', 'fileSync'], ASYNC),
  ...rows('proper-lockfile', 'io', ['checkSync', 'lockSync', 'unlockSync'], ASYNC),
  ...rows('lockfile', 'io', ['lockSync', 'unlockSync'], ASYNC),
];

/** The blocking members of the global `Deno`, which are many and all named alike. */
export function denoRow(path: string): LoopRow | undefined {
  if (!path.endsWith('Sync') && path !== 'Command#.outputSync') return undefined;
  const cost = /^(l?stat|mkdir)Sync$/.test(path) ? 'probe' : 'io';
  return { module: 'deno', path, blocks: { cost, instead: `\`Deno.${plain(path)}\`` } };
}
