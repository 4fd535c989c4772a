// What the playground runs: ESLint's own linter and the rules that need no types, in the browser.
import { Linter } from 'eslint/universal';
import plugin from 'eslint-plugin-owned-spawn';

/** The rules of the strict preset that need no program. */
export const RULES = Object.fromEntries(
  Object.entries(plugin.rules)
    .filter(([, rule]) => !rule.meta.docs.requiresTypeChecking)
    .map(([name]) => [`owned-spawn/${name}`, 'error']),
);

/** Lints a module's text; messages are ESLint's. */
export function lint(text) {
  return new Linter({ configType: 'flat' }).verify(
    text,
    [
      {
        languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
        plugins: { 'owned-spawn': plugin },
        rules: RULES,
      },
    ],
    { filename: 'example.mjs' },
  );
}
