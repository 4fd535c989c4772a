import type { TSESTree } from '@typescript-eslint/utils';
import type { ProcessApi } from '../apis/tables.ts';
import { lineOf, wordOf, wordsOf, type Line, type Word } from './command.ts';
import type { Env } from './definitions.ts';
import type { Invocation } from './invocation.ts';
import { lastName, literalText, type FunctionNode } from './nodes.ts';
import type { Values } from './values.ts';
import type { Outcome, Reader } from './outcome.ts';
import { runsOnWindowsOnly } from './platform.ts';
import { argvLeavesChild, leavesChild, type LeftChild, type ShellPart } from './shell-text.ts';
import { readCommands, type ShellDialect } from './shell-words.ts';
import type { SpawnForm, Verdict } from './site.ts';
import { absent, isTrueSomewhere, type Value } from './value.ts';

/** No start that leaves. */
const nothing: Outcome = { form: 'option', verdict: { is: 'no' }, through: new Set() };

/** What the command itself does: a launcher in argv, a shell's line that leaves a child, code that detaches. */
export function commandOutcome(
  reader: Reader,
  row: ProcessApi,
  invocation: Invocation,
  options: TSESTree.Expression | undefined,
  env: Env | undefined,
): Outcome {
  const { values } = reader;
  const [first, second] = invocation.args;
  if (!first || row.command === 'module') return nothing;
  const shell = options ? values.at(options, ['shell'], env) : absent;
  const isShell = isTrueSomewhere(shell);
  const dialect = dialectOf(shell);
  // Deno's list is one of its options.
  const list =
    second && second !== options ? { node: second, env } : options && member(options, 'args', env, values);
  const rest = () => (list ? wordsOf(list.node, list.env, values) : []);

  if (row.command === 'line' || row.command === 'shell-template')
    return lineOutcome(reader, first, env, [], dialect);
  if (row.command === 'template') {
    if (isShell) return lineOutcome(reader, first, env, [], dialect);
    const line = lineOf(first, env, values, reader.sourceOf);
    return launcherOutcome(splitLine(line), first, line.through);
  }
  if (row.command === 'argv' && isShell) return lineOutcome(reader, first, env, rest(), dialect);
  if (row.command === 'list') return wordsOutcome(reader, listWords(first, env, values), first);
  // `isLinux ? 'setsid' : 'env'`: whichever of the programs leaves.
  const files = values.alternativesOf(first, env).map((file) => wordOf(file.node, file.env, values));
  const outcomes = files.map((file) => wordsOutcome(reader, [file, ...rest()], first));
  return outcomes.find(({ verdict }) => verdict.is !== 'no') ?? outcomes[0] ?? nothing;
}

/** The shell that an option names: `shell: 'cmd.exe'`. */
function dialectOf({ cause }: Value): ShellDialect {
  const name = cause?.type === 'Property' ? literalText(cause.value) : undefined;
  return name !== undefined && /\b(cmd|powershell|pwsh)(\.exe)?$/i.test(name) ? 'cmd' : 'sh';
}

/** What an argument list leaves. */
function wordsOutcome(reader: Reader, words: readonly Word[], cause: TSESTree.Node): Outcome {
  const shellText = shellWord(words);
  if (shellText?.node) return lineOutcome(reader, shellText.node, shellText.env);
  const script = wordBehind(words, /^(powershell|pwsh)$/i, /^[-/]c(ommand)?$/i);
  if (script?.node) return lineOutcome(reader, script.node, script.env, [], 'cmd');
  const code = codeWord(words, reader.sourceOf);
  if (code?.node) return codeOutcome(reader, code.node, code.env);
  return launcherOutcome(words, cause, new Set());
}

const space = { text: ' ', hole: false };

/** `Bun.spawn([…])` and `Bun.spawn({ cmd: […] })`. */
function listWords(node: TSESTree.Node, env: Env | undefined, values: Values): Word[] {
  const found = values.definitionOf(node, env);
  if (found.node.type !== 'ObjectExpression') return wordsOf(node, env, values);
  const command = member(node, 'cmd', env, values);
  return command ? wordsOf(command.node, command.env, values) : [];
}

/** The value that an object has under a name. */
function member(
  node: TSESTree.Node,
  name: string,
  env: Env | undefined,
  values: Values,
): { node: TSESTree.Node; env: Env | undefined } | undefined {
  const { node: object, env: inner } = values.definitionOf(node, env);
  if (object.type !== 'ObjectExpression') return undefined;
  const found = object.properties.find(
    (property) => property.type === 'Property' && lastName(property.key) === name,
  );
  return found?.type === 'Property' ? { node: found.value, env: inner } : undefined;
}

/** What a command line leaves, whichever of its texts it has. */
export function lineOutcome(
  reader: Reader,
  node: TSESTree.Node,
  env: Env | undefined,
  rest: readonly Word[] = [],
  dialect: ShellDialect = 'sh',
): Outcome {
  const through = new Set<FunctionNode>();
  // A command line with a hole may hold anything, so nobody knows that it leaves nothing.
  let isOpen = false;
  const tail = rest.flatMap((word) => [space, ...partsOf(word)]);
  for (const text of reader.values.alternativesOf(node, env)) {
    const line = lineOf(text.node, text.env, reader.values, reader.sourceOf);
    for (const fn of line.through) through.add(fn);
    const parts = [...line.parts, ...tail];
    const read = runsOnWindowsOnly(text.node) || runsOnWindowsOnly(node) ? 'cmd' : dialect;
    const left = leavesChild(parts, read);
    if (left) return leftOutcome('shell', left, text.node, through);
    if (leavesByCode(reader, parts)) return { ...codeLeaves, form: 'shell', cause: text.node, through };
    isOpen ||= parts.some(({ hole }) => hole);
  }
  return { ...nothing, verdict: { is: isOpen ? 'unknown' : 'no' }, through };
}

/** What a program in an argument list leaves. */
export function launcherOutcome(
  words: readonly Word[],
  cause: TSESTree.Node,
  through: ReadonlySet<FunctionNode>,
): Outcome {
  const left = argvLeavesChild(words.map(partsOf));
  return left
    ? leftOutcome('launcher', left, words[left.index]?.node ?? cause, through)
    : { ...nothing, through };
}

function leftOutcome(
  form: SpawnForm,
  left: LeftChild,
  cause: TSESTree.Node,
  through: ReadonlySet<FunctionNode>,
): Outcome {
  const verdict: Verdict = left.verdict === 'yes' ? { is: 'yes' } : { is: 'maybe', why: left.why };
  return {
    form,
    verdict,
    cause,
    origin: 'other',
    leaver: left.why,
    background: left.background === true,
    through,
  };
}

/** A word with something unknown in it is all unknown. */
const partsOf = ({ text }: Word) => [{ text: text ?? 'x', hole: text === undefined }];

/** The words of a line that no shell reads; a word with a hole is unknown. */
function splitLine({ parts }: Line): Word[] {
  const text = parts.map((part) => (part.hole ? '\0' : part.text)).join('');
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => ({
    text: word.includes('\0') ? undefined : word,
    node: undefined,
    env: undefined,
  }));
}

/** The name of a program without its folder and extension. */
const programName = (word: string) => word.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');

/** The command line in `sh -c '…'`, wherever it stands in an argument list. */
export const shellWord = (words: readonly Word[]) => wordBehind(words, /^(ba|z|da|k|a|fi)?sh$/, /^-[a-z]*c$/);

/** The word behind a program's flag. */
function wordBehind(words: readonly Word[], program: RegExp, flag: RegExp): Word | undefined {
  const start = words.findIndex(({ text }) => text !== undefined && program.test(programName(text)));
  if (start < 0) return undefined;
  const at = words.findIndex(({ text }, index) => index > start && text !== undefined && flag.test(text));
  return at < 0 ? undefined : words[at + 1];
}

/** The program in `node -e '…'`. */
function codeWord<W extends Partial<Word>>(
  words: readonly W[],
  sourceOf: (node: TSESTree.Node) => string,
): W | undefined {
  const [program] = words;
  const name = program?.text ?? (program?.node ? sourceOf(program.node) : '');
  if (!/(^|[\\/.])(node|bun|electron|execPath)(\.exe)?$/.test(name)) return undefined;
  const flag = words.findIndex(({ text }) => text !== undefined && /^(-e|-p|-pe|--eval|--print)$/.test(text));
  return flag < 0 ? undefined : words[flag + 1];
}

/** The operands of a text that is put together with `+`. */
function pieces(node: TSESTree.Node): TSESTree.Node[] {
  return node.type === 'BinaryExpression' ? [...pieces(node.left), ...pieces(node.right)] : [node];
}

function codeOutcome(reader: Reader, node: TSESTree.Node, env: Env | undefined): Outcome {
  const { parts } = lineOf(node, env, reader.values, reader.sourceOf);
  if (!reader.leavesInCode(textOf(parts))) return nothing;
  const cause = pieces(node).find((piece) => reader.sourceOf(piece).includes('detached')) ?? node;
  return { ...codeLeaves, cause };
}

/** `node -e '…'` in a command line. */
function leavesByCode(reader: Reader, parts: readonly ShellPart[]): boolean {
  const line = textOf(parts);
  if (!/\s(-e|-pe?|--eval|--print)\s/.test(line)) return false;
  return readCommands(line).some(({ words }) => {
    const code = codeWord(words, () => '');
    return code?.text !== undefined && reader.leavesInCode(code.text);
  });
}

/** A text with something in each hole that is valid code. */
export const textOf = (parts: readonly ShellPart[]) =>
  parts.map((part) => (part.hole ? '0' : part.text)).join('');

/** What a program in a text leaves. */
export const codeLeaves: Outcome = {
  form: 'launcher',
  verdict: { is: 'yes' },
  origin: 'other',
  leaver: 'the code in its string detaches what it starts',
  through: new Set(),
};
