import type { Finding } from '../../rules/check/finding.ts';

/** A file with one finding. */
export const DETACHED =
  "import { spawn } from 'node:child_process';\nspawn('server', [], { detached: true });\n";
/** The rule of that finding. */
export const RULE = 'owned-spawn/no-detached-spawn';

/** `file:line:column rule` of each finding. */
export const placesOf = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ file, line, column, ruleId, messageId }) => `${file}:${line}:${column} ${ruleId ?? messageId ?? ''}`,
  );

/** A config whose copy of our plugin has one rule, with the given body of `create`. */
export const configWith = (create: string, more = ''): string => `
  const rule = { create(context) { ${create} } };
  const plugin = { meta: { name: 'eslint-plugin-owned-spawn' }, rules: { probe: rule } };
  export default [{ plugins: { 'owned-spawn': plugin }, rules: { 'owned-spawn/probe': 'warn' }, ${more} }];
`;
