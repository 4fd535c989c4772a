// Node's modules as far as the rules ask them: there are no files here, and Node's own modules are known by name.
export const createRequire = () => (name) => {
  if (name === 'eslint-plugin-owned-spawn/package.json')
    return { name: 'eslint-plugin-owned-spawn', version: '' };
  throw new Error(`${name} is not there in the browser`);
};
export const builtinModules = BUILTIN_MODULES;
export const isBuiltin = (name) => builtinModules.includes(name.replace(/^node:/, ''));
export const existsSync = () => false;
export const readFileSync = (path) => {
  throw Object.assign(new Error(`${path} is not there in the browser`), { code: 'ENOENT' });
};

globalThis.process ??= {
  platform: 'linux',
  env: {},
  versions: {},
  argv: [],
  cwd: () => '/',
  emitWarning: () => undefined,
};
