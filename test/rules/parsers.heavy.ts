// The rules under parsers of other languages. They are installed at the first run, which needs the npm registry.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as typescript from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../rules/index.ts';
import { install } from '../helpers/on-demand.ts';

/** The last versions that run on Node 20; Babel 8 names no support for it, and works. */
const PACKAGES = [
  '@babel/core@8.1.3',
  '@babel/eslint-parser@8.1.2',
  '@babel/preset-flow@8.0.1',
  'astro-eslint-parser@1.4.0',
  'eslint-plugin-astro@1.3.1',
  'eslint-plugin-svelte@3.24.1',
  'eslint-plugin-vue@10.12.1',
  'svelte@5.57.3',
  'svelte-eslint-parser@1.10.1',
  'vue-eslint-parser@10.4.2',
];

type Namespace = Record<string, unknown>;
let modules: Record<
  'astro' | 'astroPlugin' | 'babel' | 'svelte' | 'sveltePlugin' | 'vue' | 'vuePlugin',
  Namespace
>;
let folder: string;

before(async () => {
  folder = install('parsers', ['--legacy-peer-deps', ...PACKAGES]);
  // A module in there, since some of the packages can be imported only.
  const entry = join(folder, 'entry.mjs');
  writeFileSync(
    entry,
    `export * as astro from 'astro-eslint-parser';
export { default as astroPlugin } from 'eslint-plugin-astro';
export * as babel from '@babel/eslint-parser';
export * as svelte from 'svelte-eslint-parser';
export { default as sveltePlugin } from 'eslint-plugin-svelte';
export * as vue from 'vue-eslint-parser';
export { default as vuePlugin } from 'eslint-plugin-vue';
`,
  );
  modules = (await import(pathToFileURL(entry).href)) as typeof modules;
});

/** `line:column-endLine:endColumn` of what the rule is to report. */
interface Language {
  filename: string;
  code: string;
  config: () => Linter.Config[];
  expected: string[];
}

const parserOf = (name: 'astro' | 'babel' | 'svelte' | 'vue', parserOptions: Linter.ParserOptions) => ({
  parser: modules[name] as unknown as Linter.Parser,
  parserOptions,
});
const processorOf = (
  name: 'astroPlugin' | 'sveltePlugin' | 'vuePlugin',
  processor: string,
): Linter.Config => ({
  files: ['**/*.astro', '**/*.svelte', '**/*.vue'],
  processor:
    (modules[name].processors as Record<string, Linter.Processor>)[processor] ?? assert.fail(processor),
});

const vue = `<template>
  <Dock :detached="true" @drop="launch('a', ['b'], { detached: true })" />
</template>

<script setup lang="ts">
import { spawn } from 'node:child_process';

const options = { detached: true as const };
const child = spawn('a', [], options);
// detached-spawn: ok — the updater replaces this program
spawn('b', [], options);
defineProps<{ detached: boolean }>();
</script>
`;

const vueOptions = `<script>
const cp = require('child_process');

export default {
  props: { detached: { type: Boolean, default: true } },
  methods: {
    start() {
      this.child = cp.spawn('a', ['b'], { detached: true });
    },
  },
};
</script>

<style>
.detached { color: red }
</style>
`;

const svelte = `<script context="module">
  import { spawn } from 'node:child_process';
</script>

<script lang="ts">
  export let detached: boolean = true;
  let child = spawn('a', [], { detached: true });
  $: run = () => spawn('b', { detached });
  // detached-spawn: ok — the updater replaces this program
  spawn('c', { detached: true });
</script>

{#if detached}
  <button on:click={() => spawn('d', { detached: true })}>{run} {child}</button>
{/if}
`;

const astro = `---
import { spawn } from 'node:child_process';
const child = spawn('a', [], { detached: true });
// detached-spawn: ok — the updater replaces this program
spawn('b', { detached: true });
---
<p detached={true}>{child.pid}</p>
<button onclick={() => spawn('c', { detached: true })} />
`;

const astroScript = `---
const title = 'a';
---
<p>{title}</p>
<script>
  import { spawn } from 'child_process';
  spawn('d', { detached: true });
</script>
`;

const flow = `/* @flow strict */
import { spawn } from 'child_process';
import type { ChildProcess } from 'child_process';

type Options = {| detached: boolean, +cwd?: string |};

class Launcher<T> {
  +options: Options = { detached: true };
  run: typeof spawn;

  go(file: string, rest?: Array<string> = []): ChildProcess {
    return spawn(file, rest, (this.options: any));
  }
  more(): ChildProcess {
    return this.run('b', [], { detached: (true: boolean) });
  }
}
// detached-spawn: ok — the updater replaces this program
spawn('c', { detached: true });
export const hand = (options: Options): ChildProcess => spawn('d', [], options);
opaque type Id = string;
export default Launcher;
`;

const languages: Record<string, Language> = {
  'Vue, script setup in TypeScript': {
    filename: 'a.vue',
    code: vue,
    config: () => [{ files: ['**/*.vue'], languageOptions: parserOf('vue', { parser: typescript }) }],
    expected: ['9:15-9:20'],
  },
  'Vue, an options object, with the processor': {
    filename: 'a.vue',
    code: vueOptions,
    config: () => [
      { files: ['**/*.vue'], languageOptions: parserOf('vue', { sourceType: 'module' }) },
      processorOf('vuePlugin', 'vue'),
    ],
    expected: ['8:23-8:28'],
  },
  Svelte: {
    filename: 'a.svelte',
    code: svelte,
    config: () => [
      { files: ['**/*.svelte'], languageOptions: parserOf('svelte', { parser: typescript }) },
      processorOf('sveltePlugin', 'svelte'),
    ],
    expected: ['7:15-7:20', '8:18-8:23', '14:27-14:32'],
  },
  Astro: {
    filename: 'a.astro',
    code: astro,
    config: () => [{ files: ['**/*.astro'], languageOptions: parserOf('astro', { parser: typescript }) }],
    expected: ['3:15-3:20', '8:24-8:29'],
  },
  "Astro, a client's script, with the processor": {
    filename: 'a.astro',
    code: astroScript,
    config: () => [
      { files: ['**/*.astro'], languageOptions: parserOf('astro', {}) },
      processorOf('astroPlugin', 'client-side-ts'),
      { files: ['**/*.ts'], languageOptions: { parser: typescript } },
    ],
    expected: ['7:3-7:8'],
  },
  'Flow, with the parser of Babel': {
    filename: 'a.js',
    code: flow,
    config: () => [
      {
        files: ['**/*.js'],
        languageOptions: parserOf('babel', {
          requireConfigFile: false,
          babelOptions: { presets: [join(folder, 'node_modules/@babel/preset-flow/lib/index.js')] },
        }),
      },
    ],
    expected: ['12:12-12:17', '15:17-15:20'],
  },
};

function lint({ filename, code, config }: Language): Linter.LintMessage[] {
  const ours: Linter.Config = {
    plugins: { 'owned-spawn': plugin },
    rules: { 'owned-spawn/no-detached-spawn': 'error', 'owned-spawn/valid-marker': 'error' },
  };
  return new Linter({ cwd: '/' }).verify(code, [...config(), ours], {
    filename,
    filterCodeBlock: () => true,
  });
}

for (const [name, language] of Object.entries(languages)) {
  describe(name, () => {
    it('is reported at the right places', () => {
      assert.deepEqual(
        lint(language).map(
          ({ line, column, endLine, endColumn, ruleId, message }) =>
            `${line}:${column}-${String(endLine)}:${String(endColumn)}${ruleId === 'owned-spawn/no-detached-spawn' ? '' : ` ${message}`}`,
        ),
        language.expected,
      );
    });

    it('gets suggestions that mend it, and skeletons that do not', () => {
      for (const { suggestions = [] } of lint(language)) {
        assert.ok(suggestions.length > 0);
        for (const { messageId, desc, fix } of suggestions) {
          const code = language.code.slice(0, fix.range[0]) + fix.text + language.code.slice(fix.range[1]);
          const rules = lint({ ...language, code }).map(({ ruleId }) => ruleId);
          const spawns = rules.filter((ruleId) => ruleId === 'owned-spawn/no-detached-spawn');
          const markers = rules.filter((ruleId) => ruleId === 'owned-spawn/valid-marker');
          assert.equal(spawns.length + markers.length, rules.length, `${desc}\n${code}`);
          const isSkeleton = messageId === 'mark';
          assert.equal(spawns.length, language.expected.length - (isSkeleton ? 0 : 1), `${desc}\n${code}`);
          assert.equal(markers.length, isSkeleton ? 1 : 0, `${desc}\n${code}`);
        }
      }
    });
  });
}
