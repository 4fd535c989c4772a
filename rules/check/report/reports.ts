import type { Terminal } from 'owned-spawn/cli';
import type { CheckResult } from '../run.ts';
import { json } from './json.ts';
import { stylish } from './stylish.ts';

/** Writes a result down; `paint` has the colours. */
export type Report = (result: CheckResult, paint: Terminal) => string;

/** The formats of `check --format`. */
export const reports = { stylish, json } satisfies Record<string, Report>;
