import { createRequire } from 'node:module';
import type { ESLint, Linter, Rule } from 'eslint';
import type { RuleDocs } from './create-rule.ts';
import { noAsyncExitHandler } from './no-async-exit-handler.ts';
import { noBlockingCall } from './no-blocking-call.ts';
import { noBlockingCallPath } from './no-blocking-call-path.ts';
import { noBlockingDriver } from './no-blocking-driver.ts';
import { noBlockingSqlite } from './no-blocking-sqlite.ts';
import { noDetachedSpawn } from './no-detached-spawn.ts';
import { noHotPoll } from './no-hot-poll.ts';
import { noSpawnOnImport } from './no-spawn-on-import.ts';
import { noUnsafeGroupKill } from './no-unsafe-group-kill.ts';
import { preferSpawnOwned } from './prefer-spawn-owned.ts';
import { validMarker } from './valid-marker.ts';

const rules = {
  'no-async-exit-handler': noAsyncExitHandler,
  'no-blocking-call': noBlockingCall,
  'no-blocking-call-path': noBlockingCallPath,
  'no-blocking-driver': noBlockingDriver,
  'no-blocking-sqlite': noBlockingSqlite,
  'no-detached-spawn': noDetachedSpawn,
  'no-hot-poll': noHotPoll,
  'no-spawn-on-import': noSpawnOnImport,
  'no-unsafe-group-kill': noUnsafeGroupKill,
  'prefer-spawn-owned': preferSpawnOwned,
  'valid-marker': validMarker,
};

type RuleName = keyof typeof rules;
type ConfigName = RuleDocs['preset'];

/** ESLint's types and typescript-eslint's do not meet (`defineConfig` refuses the latter), so these are said plainly. */
interface OwnedSpawnPlugin extends ESLint.Plugin {
  rules: Record<RuleName, Rule.RuleModule>;
  configs: Record<ConfigName, Linter.Config>;
}

const { name, version } = createRequire(import.meta.url)('eslint-plugin-owned-spawn/package.json') as {
  name: string;
  version: string;
};

/** Which presets a preset's rules come from, and whether all of them are errors there. */
const presets: Record<ConfigName, { of: ConfigName[]; allErrors: boolean }> = {
  recommended: { of: ['recommended'], allErrors: false },
  'recommended-type-checked': { of: ['recommended', 'recommended-type-checked'], allErrors: false },
  strict: { of: ['recommended', 'recommended-type-checked', 'strict'], allErrors: true },
};

const plugin: OwnedSpawnPlugin = {
  meta: { name, version, namespace: 'owned-spawn' },
  rules: rules as unknown as OwnedSpawnPlugin['rules'],
  configs: {} as OwnedSpawnPlugin['configs'],
};

for (const [preset, { of, allErrors }] of Object.entries(presets)) {
  const chosen = Object.entries(rules).flatMap(([rule, { meta }]) =>
    meta.docs && of.includes(meta.docs.preset)
      ? [[`owned-spawn/${rule}`, allErrors ? 'error' : meta.docs.severity] as const]
      : [],
  );
  plugin.configs[preset as ConfigName] = {
    name: `owned-spawn/${preset}`,
    plugins: { 'owned-spawn': plugin },
    rules: Object.fromEntries(chosen),
  };
}

export default plugin;
