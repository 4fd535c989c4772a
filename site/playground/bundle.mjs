import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Bundles the playground's linter for browsers.
 * @param {string} outfile
 */
export async function bundlePlayground(outfile) {
  const stubs = here('./node-stubs.js');
  const path = here('../node_modules/path-browserify/index.js');
  await build({
    entryPoints: [here('./lint.js')],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    banner: { js: `const BUILTIN_MODULES = ${JSON.stringify(builtinModules)};` },
    inject: [stubs],
    alias: {
      'node:fs': stubs,
      'node:module': stubs,
      'node:path': path,
      'node:path/posix': path,
      // The one thing that the rules take from there; the rest of it is a terminal's.
      'owned-spawn/cli': here('../../runtime/dist/cli/nearest.js'),
    },
    logLevel: 'warning',
  });
}
