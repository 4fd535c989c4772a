import { applyEdits } from '../edits/edit.ts';
import { parseModule } from '../read/module-view.ts';
import type { Outcome, Project } from './outcome.ts';
import { PLUGIN, presetEdits } from './preset-edits.ts';

/** Adds a preset to the ESLint config of a project. */
export function addPreset(project: Project, file: string, preset: string): Outcome {
  const text = project.read(file) ?? '';
  const unsure = (why: string): Outcome => ({ unsure: why, file, add: byHand(preset) });
  try {
    const edits = presetEdits(parseModule(text, file), preset);
    if (edits === 'present') return edits;
    if ('unsure' in edits) return unsure(edits.unsure);
    const after = applyEdits(text, edits.edits);
    // What does not parse must not be written, whoever is to blame.
    parseModule(after, file);
    return { files: { [file]: after } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unsure(`it does not parse: ${error.message}`);
  }
}

const byHand = (preset: string): string =>
  `import ownedSpawn from '${PLUGIN}';\n\n${memberOf(preset)},  as the last of the exported array`;

const memberOf = (preset: string): string =>
  `ownedSpawn.configs${/^\w+$/.test(preset) ? `.${preset}` : `['${preset}']`}`;

/** The text of a config for a project that has none. */
export const newConfig = (preset: string, hasTypescript: boolean): string =>
  hasTypescript
    ? `import ownedSpawn from '${PLUGIN}';
import tseslint from 'typescript-eslint';

export default [
  { ignores: ['**/dist/', '**/build/', '**/coverage/'] },
  {
    files: ['**/*.{ts,tsx,mts,cts}'],
    languageOptions: { parser: tseslint.parser${preset === 'recommended' ? '' : ', parserOptions: { projectService: true }'} },
  },
  ${memberOf(preset)},
];
`
    : `import ownedSpawn from '${PLUGIN}';

export default [{ ignores: ['**/dist/', '**/build/', '**/coverage/'] }, ${memberOf(preset)}];
`;
