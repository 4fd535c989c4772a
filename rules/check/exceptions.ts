import type { TSESLint } from '@typescript-eslint/utils';
import { allowedSites } from '../read/allowed.ts';
import { findBlocking } from '../read/blocking.ts';
import { readDirectives } from '../read/directives.ts';
import { loopModule } from '../read/loop-module.ts';
import { bindMarkers, readMarkers, type MarkerKind } from '../read/markers.ts';
import { viewOf } from '../read/module-view.ts';
import { findSpawns } from '../read/spawns.ts';
import { symbolAt } from '../read/symbol-at.ts';
import { allowedOnLoop } from '../graph/module-reach.ts';
import { compare } from './finding.ts';
import type { LintedFile } from './lint-files.ts';
import { placesOf } from './place.ts';

/** By what code is excused: a marker, a linter's directive, a group of the settings. */
export type ExceptionKind = MarkerKind | 'eslint-disable' | 'allow';

/** A place that our rules are told to be silent about. */
export interface ListedException {
  kind: ExceptionKind;
  /** `owned-spawn/<rule>`. */
  rules: string[];
  /** Of the marker or the directive; of a group's site the call. Relative to the base of the run, with `/`. */
  file: string;
  /** Lines and columns count from 1. */
  line: number;
  column: number;
  /** The scope, `Class.method`; empty at the top level. */
  symbol: string;
  /** The API that is excused, `child_process.spawn`; null where nothing that starts a process stands there. */
  callee: string | null;
  /** Empty where a directive gives none. */
  reason: string;
  /** Whether it was put there in bulk: `ok — for-rollout: why`. */
  rollout: boolean;
  until: string | null;
  ref: string | null;
  /** The day, as YYYY-MM-DD, on which the line was committed; null where git does not know. */
  since: string | null;
}

const RULES: Readonly<Record<MarkerKind, readonly string[]>> = {
  'detached-spawn': ['owned-spawn/no-detached-spawn'],
  'blocking-call': [
    'owned-spawn/no-blocking-call',
    'owned-spawn/no-blocking-sqlite',
    'owned-spawn/no-blocking-call-path',
  ],
};

/** What most have not, in the order of the JSON's keys. */
const EMPTY: ListedException = {
  kind: 'allow',
  rules: [],
  file: '',
  line: 0,
  column: 0,
  symbol: '',
  callee: null,
  reason: '',
  rollout: false,
  until: null,
  ref: null,
  since: null,
};

const PREFIX = 'owned-spawn/';

/** The order of lists: file, line, column. */
export const byPosition = (a: ListedException, b: ListedException): number =>
  compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.kind, b.kind);

/** The exceptions of one file, in the order of the text. Markers with a fault excuse nothing and are left out. */
export function exceptionsOf(file: LintedFile): ListedException[] {
  const code = file.linted.source as unknown as TSESLint.SourceCode | undefined;
  const known = code ? [...markersOf(file, code), ...directivesOf(file, code), ...allowedOf(file, code)] : [];
  return [...known, ...blanketsOf(file, code, known)].sort(byPosition);
}

function markersOf({ path, shown, linted }: LintedFile, code: TSESLint.SourceCode): ListedException[] {
  const view = viewOf(code, path);
  const markers = readMarkers(view).filter(({ fault }) => fault === undefined);
  if (markers.length === 0) return [];
  const bound = bindMarkers(view, markers, findSpawns(view, linted.settings));
  const blocking = bindMarkers(view, markers, findBlocking(loopModule(view, linted.settings)));
  return markers.map((marker) => {
    const { kind, start, reason, rollout, until = null, ref = null } = marker;
    const [site] = (kind === 'detached-spawn' ? bound : blocking).get(marker) ?? [];
    const { line, column } = code.getLocFromIndex(start);
    return {
      ...EMPTY,
      kind,
      rules: [...RULES[kind]],
      file: shown,
      line,
      column: column + 1,
      symbol: symbolAt(site?.call ?? code.getNodeByRangeIndex(start)),
      callee: site?.api ?? null,
      reason,
      rollout,
      until,
      ref,
    };
  });
}

function directivesOf({ path, shown, linted }: LintedFile, code: TSESLint.SourceCode): ListedException[] {
  const prefixes = [...new Set([...linted.prefixes, PREFIX])];
  const scopeAt = placesOf(code, path, linted.settings);
  return readDirectives(viewOf(code, path), prefixes).map(({ comment, rules: names, reason }) => {
    const rules = names.map((name) => PREFIX + name.slice(name.lastIndexOf('/') + 1));
    const { line, column } = comment.loc.start;
    const silenced = linted.suppressed.find(
      (message) => rules.includes(message.ruleId ?? '') && message.line >= line,
    );
    const { symbol, callee } = scopeAt(silenced ?? { ruleId: null, message: '', line, column: column + 1 });
    return {
      ...EMPTY,
      kind: 'eslint-disable',
      rules,
      file: shown,
      line,
      column: column + 1,
      symbol,
      callee: silenced ? callee : null,
      reason,
    };
  });
}

function allowedOf({ path, shown, linted }: LintedFile, code: TSESLint.SourceCode): ListedException[] {
  const view = viewOf(code, path);
  const starts = findSpawns(view, linted.settings).filter(({ verdict }) => /yes|maybe/.test(verdict.is));
  const covered = [
    ...[...allowedSites(view, starts, linted.settings, 'detached-spawn')].map(([site, group]) => ({
      site,
      group,
      kind: 'detached-spawn' as const,
    })),
    ...allowedOnLoop(loopModule(view, linted.settings)).map((each) => ({
      ...each,
      kind: 'blocking-call' as const,
    })),
  ];
  return covered.map(({ site, group: { reason, until = null, ref = null }, kind }) => ({
    ...EMPTY,
    kind: 'allow',
    rules: [...RULES[kind]],
    file: shown,
    line: site.name.loc.start.line,
    column: site.name.loc.start.column + 1,
    symbol: symbolAt(site.call),
    callee: site.api,
    reason,
    until,
    ref,
  }));
}

/** What a directive without names, for all rules of all plugins, silences of ours: its place is that of the finding. */
function blanketsOf(
  { path, shown, linted }: LintedFile,
  code: TSESLint.SourceCode | undefined,
  known: readonly ListedException[],
): ListedException[] {
  // ESLint says only which reason a directive gave.
  const isNamed = (ruleId: string, why: string): boolean =>
    known.some(
      ({ kind, rules, reason }) => kind === 'eslint-disable' && rules.includes(ruleId) && reason === why,
    );
  const scopeAt = code && placesOf(code, path, linted.settings);
  return linted.suppressed.flatMap(({ ruleId, message, line, column, suppressions }) => {
    const reason = suppressions.map(({ justification }) => justification.trim()).find(Boolean) ?? '';
    if (ruleId === null || isNamed(ruleId, reason)) return [];
    const { symbol, callee } = scopeAt?.({ ruleId, message, line, column }) ?? EMPTY;
    return {
      ...EMPTY,
      kind: 'eslint-disable' as const,
      rules: [ruleId],
      file: shown,
      line,
      column,
      symbol,
      callee,
      reason,
    };
  });
}
