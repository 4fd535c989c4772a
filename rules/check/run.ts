import type { TSESLint } from '@typescript-eslint/utils';
import type { Linter } from 'eslint';
import { splitEdit } from '../edits/split-edit.ts';
import { byPosition, exceptionsOf, type ListedException } from './exceptions.ts';
import { shownPath } from './files.ts';
import { byPlace, type Exception, type Finding } from './finding.ts';
import { lintFiles, type LintedFile, type LintedFiles, type LintOptions } from './lint-files.ts';
import { placesOf } from './place.ts';

export interface CheckResult extends LintedFiles {
  /** In the order of {@link byPlace}. */
  findings: Finding[];
  /** What an `eslint-disable` with a reason waives, in the same order. */
  exceptions: Exception[];
  /** What a marker or a group of the settings excuses, where it was asked for. */
  excused: ListedException[];
  /** The absolute paths of the files that were linted. */
  checked: ReadonlySet<string>;
  /** Whether some file could not be read, a rule broke down on it, a tsconfig does not parse, or calls could not be followed. */
  failed: boolean;
}

/**
 * Checks every source file below the paths, one after another; only findings are kept in memory.
 * An aborted run returns what it has.
 *
 * @param options `excused`: list what markers and groups excuse too
 * @throws {UserError} for a path or a config that is not there or is wrong
 */
export async function check(options: LintOptions & { excused?: boolean }): Promise<CheckResult> {
  const findings: Finding[] = [];
  const exceptions: Exception[] = [];
  const excused: ListedException[] = [];
  const checked = new Set<string>();
  let failed = false;
  const files = await lintFiles(
    { ...options, crossFile: true },
    (file) => {
      checked.add(file.path);
      readFindings(file, findings, exceptions);
      if (options.excused)
        excused.push(...exceptionsOf(file).filter(({ kind }) => kind !== 'eslint-disable'));
    },
    (shown, error) => {
      failed = true;
      findings.push(breakdown(shown, error));
    },
  );
  if (files.uncrossed !== undefined || files.faults.some(({ isUnreadable }) => isUnreadable)) failed = true;
  findings.sort(byPlace);
  exceptions.sort((a, b) => byPlace(a.finding, b.finding));
  excused.sort(byPosition);
  return {
    ...files,
    findings,
    exceptions,
    excused,
    checked,
    failed,
  };
}

function readFindings(file: LintedFile, findings: Finding[], exceptions: Exception[]): void {
  const toFinding = findingsOf(file);
  findings.push(...file.linted.messages.map(toFinding));
  for (const message of file.linted.suppressed) {
    const reason = message.suppressions.map(({ justification }) => justification.trim()).find(Boolean);
    // Without a reason the directive waives nothing here, though it quiets ESLint.
    if (reason === undefined) findings.push(toFinding(message));
    else exceptions.push({ finding: toFinding(message), reason });
  }
}

/** Turns ESLint's messages about one file into findings. */
function findingsOf({
  path,
  shown,
  base,
  linted: { source, settings, paths },
}: LintedFile): (message: Linter.LintMessage) => Finding {
  const code = source as unknown as TSESLint.SourceCode | undefined;
  let places: ReturnType<typeof placesOf> | undefined;
  return ({ ruleId, messageId, message, severity, line, column, endLine, endColumn, suggestions }) => {
    places ??= code && placesOf(code, path, settings, paths);
    const { steps, ...place } = places?.({ ruleId, message, line, column }) ?? {
      steps: [],
      symbol: '',
      callee: null,
    };
    return {
      ruleId,
      messageId: ruleId === null ? 'unparsable' : (messageId ?? null),
      message,
      severity: severity === 1 ? 1 : 2,
      file: shown,
      line,
      column,
      endLine: endLine ?? line,
      endColumn: endColumn ?? column,
      ...place,
      ...(steps.length > 0
        ? {
            path: steps.map(({ name, path: its, line: at, column: from }) => ({
              name,
              file: its === undefined ? shown : shownPath(its, base),
              line: at,
              column: from,
            })),
          }
        : {}),
      suggestions: (suggestions ?? []).map(({ messageId: id, desc, fix: { range, text } }) => ({
        messageId: id ?? null,
        desc,
        edits: code
          ? splitEdit(code.text, { start: range[0], end: range[1], text })
          : [{ start: range[0], end: range[1], text }],
      })),
    };
  };
}

/** The finding for a file that could not be read or that a rule broke down on. */
function breakdown(file: string, error: unknown): Finding {
  const { code, ruleId, currentNode, message } = error as NodeJS.ErrnoException & {
    ruleId?: string;
    currentNode?: { loc?: { start: { line: number; column: number } } };
  };
  const { line, column } = currentNode?.loc?.start ?? { line: 1, column: 0 };
  const [what] = message.split('\n');
  const unreadable = code !== undefined && ruleId === undefined;
  return {
    ruleId: null,
    messageId: unreadable ? 'unreadable' : 'crashed',
    message: unreadable
      ? `This file cannot be read: ${code}.`
      : `${ruleId ?? 'The check'} broke down on this file, a bug of ours: ${what ?? ''}`,
    severity: 2,
    file,
    line,
    column: column + 1,
    endLine: line,
    endColumn: column + 1,
    symbol: '',
    callee: null,
    suggestions: [],
  };
}
