import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { Linter, type Rule } from 'eslint';
import { programOf } from '../../rules/check/program.ts';
import { compiler } from '../../rules/graph/compiler.ts';
import { PATHS_OPTION, type PathSource } from '../../rules/graph/given-paths.ts';
import { pathFindings } from '../../rules/graph/program-reach.ts';
import plugin from '../../rules/index.ts';

const root = resolve(import.meta.dirname, '../..');

interface Example {
  heading: string;
  /** `ts`, `tsx`, `js`, … */
  language: string;
  /** The rule's options, as JSON behind the language. */
  options: unknown[];
  code: string;
  line: number;
}

/** Headings of a page in order, and its fenced code blocks, each with the heading above it. */
function readPage(text: string): { headings: string[]; examples: Example[] } {
  const headings: string[] = [];
  const examples: Example[] = [];
  let fence: Example | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, language, options] = /^```(\w*)\s*(.*)$/.exec(line) ?? [];
    if (fence && language === '') {
      examples.push(fence);
      fence = undefined;
    } else if (fence) {
      fence.code += `${line}\n`;
    } else if (language !== undefined) {
      const parsed = options ? (JSON.parse(options) as unknown[]) : [];
      fence = { heading: headings.at(-1) ?? '', language, options: parsed, code: '', line: index + 1 };
    } else if (/^#+ /.test(line)) headings.push(line.replace(/^#+ /, ''));
  }
  assert.equal(fence, undefined, 'a code block is never closed');
  return { headings, examples };
}

function lint(name: string, { language, options, code }: Example): string[] {
  const config: Linter.Config = {
    files: ['**/*'],
    languageOptions: { parser },
    plugins: { 'owned-spawn': plugin },
    rules: { [`owned-spawn/${name}`]: ['error', ...options] },
  };
  const messages = new Linter().verify(code, [config, { files: [`**/*.${language}`] }], {
    filename: `example.${language}`,
    reportUnusedDisableDirectives: false,
  });
  const others = messages.filter(({ ruleId }) => ruleId !== `owned-spawn/${name}`);
  assert.deepEqual(others, []);
  return messages.map(({ line, message }) => `${line}: ${message}`);
}

/** Lints an example of several files, each under a comment with its name, with a program of them. */
function lintProgram(name: string, { options, code }: Example): string[] {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-docs-'));
  try {
    const parts = code.split(/^\/\/ (\S+\.ts)\n/m).slice(1);
    const files = new Map(
      parts.flatMap((part, at) => (at % 2 === 0 ? [[join(folder, part), parts[at + 1] ?? '']] : [])),
    );
    for (const [path, text] of files) writeFileSync(path, text);
    const program = programOf(compiler(), [...files.keys()]);
    const paths: PathSource = (file, settings, light) =>
      pathFindings(compiler(), program, settings, light).get(file) ?? [];
    const config: Linter.Config = {
      files: ['**/*.ts'],
      languageOptions: { parser, parserOptions: { [PATHS_OPTION]: paths } },
      plugins: { 'owned-spawn': plugin },
      rules: { [`owned-spawn/${name}`]: ['error', ...options] },
    };
    return [...files].flatMap(([path, text]) =>
      new Linter({ cwd: folder }).verify(text, config, { filename: path }).map(({ message }) => message),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The names of all options in a rule's schema. */
function optionNames({ meta }: Rule.RuleModule): string[] {
  const schemas = [meta?.schema ?? []].flat() as { properties?: Record<string, unknown> }[];
  return schemas.flatMap(({ properties }) => Object.keys(properties ?? {}));
}

function presetsOf(name: string): string[] {
  return Object.entries(plugin.configs)
    .filter(([, { rules }]) => rules && `owned-spawn/${name}` in rules)
    .map(([preset]) => preset);
}

describe('the pages of the rules', () => {
  it('are there for all rules and no others', () => {
    const pages = readdirSync(join(root, 'docs/rules')).filter((file) => file.endsWith('.md'));
    assert.deepEqual(
      pages.sort(),
      Object.keys(plugin.rules)
        .map((name) => `${name}.md`)
        .sort(),
    );
  });

  for (const [name, rule] of Object.entries(plugin.rules)) {
    describe(name, () => {
      const text = readFileSync(join(root, 'docs/rules', `${name}.md`), 'utf8');
      const { headings, examples } = readPage(text);
      const isTyped =
        plugin.configs.recommended.rules?.[`owned-spawn/${name}`] === undefined &&
        presetsOf(name).includes('recommended-type-checked');

      // The whole header is eslint-doc-generator's: test/packaging/lint-packages.heavy.ts.
      it('begins with the name and the description', () => {
        assert.deepEqual(text.split('\n').slice(0, 3), [
          `# ${name}`,
          '',
          `📝 ${rule.meta?.docs?.description ?? ''}.`,
        ]);
      });

      it('is where the URL of the rule leads', () => {
        assert.equal(fileURLToPath(rule.meta?.docs?.url ?? ''), join(root, 'docs/rules', `${name}.md`));
      });

      it('has a heading for each option', () => {
        assert.deepEqual(
          optionNames(rule).filter((option) => !headings.includes(`\`${option}\``)),
          [],
        );
      });

      it('says when not to use it', () => {
        assert.ok(headings.includes('When not to use it'));
      });

      for (const heading of ['Incorrect', 'Correct']) {
        const blocks = examples.filter((example) => example.heading === heading);
        it(`has examples under ${heading}`, () => {
          assert.notEqual(blocks.length, 0);
        });
        for (const block of blocks) {
          it(`${heading === 'Incorrect' ? 'reports' : 'is silent about'} the example in line ${block.line}`, () => {
            const messages = isTyped ? lintProgram(name, block) : lint(name, block);
            if (heading === 'Incorrect') assert.notEqual(messages.length, 0);
            else assert.deepEqual(messages, []);
          });
        }
      }
    });
  }
});

describe('the tables of rules', () => {
  for (const [page, link] of [
    ['README.md', (name: string) => `[${name}](docs/rules/${name}.md)`],
    ['rules/README.md', (name: string) => `\`${name}\``],
  ] as const) {
    it(`say in ${page} what the plugin says`, () => {
      // Prettier pads the cells.
      const rows = readFileSync(join(root, page), 'utf8')
        .split('\n')
        .map((line) => line.replaceAll(/ +/g, ' '));
      const missing = Object.entries(plugin.rules)
        .map(([name, { meta }]) => `| ${link(name)} | ${meta?.docs?.description ?? ''} |`)
        .filter((row) => !rows.some((line) => line.startsWith(row)));
      assert.deepEqual(missing, []);
    });
  }
});
