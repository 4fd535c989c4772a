import type { Terminal } from 'owned-spawn/cli';
import type { CheckResult } from '../run.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { sarif } from './sarif.ts';
import { stylish } from './stylish.ts';

/** Writes a result down; `paint` has the colours. */
export type Report = (result: CheckResult, paint: Terminal) => string;

/** The formats of `check --format`. */
export const reports = { stylish, json, sarif, github, junit } satisfies Record<string, Report>;
