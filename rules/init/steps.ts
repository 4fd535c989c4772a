import { createRequire } from 'node:module';
import { applyEdits } from '../edits/edit.ts';
import { dependencyEdit, type Dependency } from '../edits/dependency.ts';
import { ciStep, type CiName } from './ci.ts';
import { addPreset, newConfig } from './eslint-config.ts';
import { hookStep, type HookName } from './hooks.ts';
import type { Outcome, Project, Step } from './outcome.ts';
import { PLUGIN } from './preset-edits.ts';
import { dependsOn, manifestOf, type FoundProject } from './project.ts';

/** What was asked for on the command line. */
export interface Wishes {
  preset: string;
  runtime: boolean;
  hook: HookName | 'none' | undefined;
  ci: CiName | 'none' | undefined;
}

/** A step, and whether it is done where nobody is asked. */
export type OfferedStep = Step & { optional?: boolean };

/** All that can be set up in a project, in order. */
export function stepsOf(project: FoundProject, { preset, runtime, hook, ci }: Wishes): OfferedStep[] {
  const { config } = project;
  const hasTypescript = project.read('tsconfig.json') !== undefined || dependsOn(project, 'typescript');
  const isModule = manifestOf(project.read('package.json')).type === 'module';
  const file = config ?? (isModule ? 'eslint.config.js' : 'eslint.config.mjs');
  const tools = config === undefined ? ['eslint', ...(hasTypescript ? ['typescript-eslint'] : [])] : [];
  return [
    config === undefined
      ? { title: `write ${file}`, run: () => ({ files: { [file]: newConfig(preset, hasTypescript) } }) }
      : {
          title: `add the preset ${preset} to ${file}`,
          run: (its: Project) => addPreset(its, file, preset),
        },
    dependencyStep(project, [PLUGIN, ...tools], 'devDependencies'),
    { ...dependencyStep(project, ['owned-spawn'], 'dependencies'), optional: !runtime },
    hook === 'none' ? undefined : hookStep(project, hook),
    ci === 'none' ? undefined : ciStep(project, ci),
  ].filter((step) => step !== undefined);
}

function dependencyStep(project: Project, names: readonly string[], kind: Dependency['kind']): Step {
  const missing = names.filter((name) => !dependsOn(project, name));
  return {
    title: `add ${(missing.length > 0 ? missing : names).join(' and ')} to the ${kind} of package.json`,
    run({ read }): Outcome {
      if (missing.length === 0) return 'present';
      const file = 'package.json';
      const before = read(file);
      const entries = missing.map((name) => ({ name, range: rangeOf(name), kind }));
      const add = entries.map(({ name, range }) => `"${name}": "${range}"`).join(',\n');
      if (before === undefined) return { unsure: 'there is none here', file, add };
      try {
        const after = entries.reduce((text, entry) => {
          const edit = dependencyEdit(text, entry);
          return edit ? applyEdits(text, [edit]) : text;
        }, before);
        return { files: { [file]: after } };
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return { unsure: `it does not parse: ${error.message}`, file, add };
      }
    },
  };
}

/** The range of a package that goes with this plugin. */
function rangeOf(name: string): string {
  const versionOf = (its: string): string => {
    const { version } = createRequire(import.meta.url)(`${its}/package.json`) as { version: string };
    return `^${version}`;
  };
  // Released with the parser that we depend on, under one version.
  return versionOf(name === 'typescript-eslint' ? '@typescript-eslint/utils' : name);
}
