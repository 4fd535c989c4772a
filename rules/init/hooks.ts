import { applyEdits } from '../edits/edit.ts';
import { insertMember, membersOf } from '../edits/json-members.ts';
import type { Outcome, Project, Step } from './outcome.ts';
import { appendLines, insertLines, yamlBlock } from './yaml-block.ts';

/** A tool that runs commands before a commit. */
interface HookTool {
  /** The files that it is configured by, in its order; the first that is there counts. */
  files: readonly string[];
  /** The key of package.json that it reads too. */
  key?: string;
  /** Adds our check to a config, which is there; `key`: to that part of package.json. */
  add(text: string, file: string, project: Project): Outcome;
}

const GLOB = '*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}';
const CHECK = 'owned-spawn check --staged';

const commandOf = ({ manager }: Project): string => `${manager.exec} ${CHECK}`;

const preCommitLines = (indent: string, command: string): string[] =>
  [
    '- repo: local',
    '  hooks:',
    '    - id: owned-spawn',
    '      name: owned-spawn',
    `      entry: ${command}`,
    '      language: system',
    String.raw`      files: '\.([cm]?[jt]s|[jt]sx|vue|svelte|astro)$'`,
    '      pass_filenames: false',
  ].map((line) => indent + line);

const lefthookLines = (indent: string, command: string): string[] =>
  ['owned-spawn:', `  glob: '${GLOB}'`, `  run: ${command}`].map((line) => indent + line);

const lefthookJob = (indent: string, command: string): string[] =>
  ['- name: owned-spawn', `  glob: '${GLOB}'`, `  run: ${command}`].map((line) => indent + line);

/** The tools, in the order in which they are asked: of a chain of two the one that knows files by their names. */
const TOOLS = {
  'pre-commit': {
    files: ['.pre-commit-config.yaml', '.pre-commit-config.yml'],
    add(text, file, project) {
      const block = yamlBlock(text.split(/\r?\n/), ['repos']);
      const command = commandOf(project);
      if (block === 'inline' || block?.inner === undefined)
        return {
          unsure: 'its `repos` are not written in lines',
          file,
          add: preCommitLines('  ', command).join('\n'),
        };
      return changed(file, insertLines(text, block.end, preCommitLines(' '.repeat(block.inner), command)));
    },
  },
  lefthook: {
    files: ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'],
    add(text, file, project) {
      const lines = text.split(/\r?\n/);
      const command = commandOf(project);
      const whole = ['pre-commit:', '  commands:', ...lefthookLines('    ', command)];
      const hook = yamlBlock(lines, ['pre-commit']);
      if (!hook) return changed(file, appendLines(text, whole));
      for (const [key, its] of [
        ['commands', lefthookLines],
        ['jobs', lefthookJob],
      ] as const) {
        const block = hook === 'inline' ? hook : yamlBlock(lines, ['pre-commit', key]);
        if (typeof block === 'object' && block.inner !== undefined)
          return changed(file, insertLines(text, block.end, its(' '.repeat(block.inner), command)));
      }
      return {
        unsure: 'its `pre-commit` is not written in lines of `commands` or `jobs`',
        file,
        add: whole.join('\n'),
      };
    },
  },
  'lint-staged': {
    files: [
      '.lintstagedrc',
      '.lintstagedrc.json',
      ...namesOf('.lintstagedrc'),
      ...namesOf('lint-staged.config'),
    ],
    key: 'lint-staged',
    add(text, file) {
      const entry = `"${GLOB}": "${CHECK}"`;
      const unsure = (why: string): Outcome => ({ unsure: why, file, add: entry });
      const root = file === '.lintstagedrc' || file.endsWith('.json') ? json(text) : undefined;
      const own =
        file === 'package.json' ? root?.members?.find(({ key }) => key === 'lint-staged')?.value : root;
      if (!own?.members) return unsure('it is no JSON object');
      const same = own.members.find(({ key }) => key === GLOB);
      if (!same) return changed(file, applyEdits(text, [insertMember(text, own, entry, own.members.length)]));
      const { start, end } = same.value;
      const commands = text.slice(start, end);
      if (commands.startsWith('"'))
        return changed(file, applyEdits(text, [{ start, end, text: `[${commands}, "${CHECK}"]` }]));
      return unsure(`\`${GLOB}\` is there with more than one command`);
    },
  },
  'simple-git-hooks': {
    files: ['.simple-git-hooks.json', 'simple-git-hooks.json', ...namesOf('.simple-git-hooks')],
    key: 'simple-git-hooks',
    add(text, file, project) {
      const command = commandOf(project);
      const root = file.endsWith('.json') ? json(text) : undefined;
      const own =
        file === 'package.json' ? root?.members?.find(({ key }) => key === 'simple-git-hooks')?.value : root;
      if (!own?.members) return { unsure: 'it is no JSON object', file, add: `"pre-commit": "${command}"` };
      const same = own.members.find(({ key }) => key === 'pre-commit');
      if (!same)
        return changed(
          file,
          applyEdits(text, [insertMember(text, own, `"pre-commit": "${command}"`, own.members.length)]),
        );
      const at = same.value.end - 1;
      return text.charAt(at) === '"'
        ? changed(file, applyEdits(text, [{ start: at, end: at, text: ` && ${command}` }]))
        : { unsure: 'its `pre-commit` is no text', file, add: command };
    },
  },
  husky: {
    files: ['.husky/pre-commit'],
    add: (text, file, project) =>
      changed(file, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${commandOf(project)}\n`),
  },
} as const satisfies Record<string, HookTool>;

export type HookName = keyof typeof TOOLS;
export const HOOKS = Object.keys(TOOLS) as HookName[];

function namesOf(base: string): string[] {
  return ['yaml', 'yml', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((extension) => `${base}.${extension}`);
}

const changed = (file: string, text: string): Outcome => ({ files: { [file]: text } });

function json(text: string): ReturnType<typeof membersOf> {
  try {
    JSON.parse(text);
    return membersOf(text);
  } catch {
    // .lintstagedrc may be YAML.
    return undefined;
  }
}

/** The file that configures a tool here; undefined where the tool is not used. */
function configOf({ files, key }: HookTool, project: Project): { file: string; text: string } | undefined {
  const manifest = project.read('package.json');
  if (
    key !== undefined &&
    manifest !== undefined &&
    json(manifest)?.members?.some((member) => member.key === key)
  )
    return { file: 'package.json', text: manifest };
  for (const file of files) {
    const text = project.read(file);
    if (text !== undefined) return { file, text };
  }
  return undefined;
}

/** The step for the tool that a project has; for a named one also where it has none, to say what to add. */
export function hookStep(project: Project, wanted?: HookName): Step | undefined {
  const name = wanted ?? HOOKS.find((each) => configOf(TOOLS[each], project));
  if (name === undefined) return undefined;
  const tool: HookTool = TOOLS[name];
  const found = configOf(tool, project);
  return {
    title: `check what is staged before each commit, by ${name}`,
    run(its) {
      const now = configOf(tool, its);
      if (!found || !now) {
        const [file = ''] = tool.files;
        return { unsure: `${name} is not set up here`, file, add: commandOf(its) };
      }
      const part: unknown =
        now.file === 'package.json'
          ? (JSON.parse(now.text) as Record<string, unknown>)[tool.key ?? '']
          : now.text;
      const isHere = JSON.stringify(part).includes('owned-spawn check');
      return isHere ? 'present' : tool.add(now.text, now.file, its);
    },
  };
}
