import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, UserError } from 'owned-spawn/cli';
import { sha256 } from './plan-text.ts';
import type { Plan } from './plan.ts';
import type { Planned } from './project.ts';

/**
 * Reads a plan.
 * @throws {UserError} for a file that is no plan, or one of a newer version
 */
export function readPlan(path: string): Plan {
  let plan: { version?: unknown; files?: unknown } | null;
  try {
    plan = JSON.parse(readFileSync(path, 'utf8')) as typeof plan;
  } catch (error) {
    throw new UserError(`${path} cannot be read as a plan: ${(error as Error).message}`);
  }
  const { version, files } = plan ?? {};
  if (typeof version === 'number' && version > 1)
    throw new UserError(
      `${path} was written by a newer version of owned-spawn`,
      'Use that version, or plan again.',
    );
  if (version !== 1 || typeof files !== 'object')
    throw new UserError(`${path} is no plan of owned-spawn migrate`);
  return plan as Plan;
}

/** The decisions of an earlier run, where there is such a plan. */
export const knownDecisions = (path: string): NonNullable<Plan['decisions']> =>
  existsSync(path) ? (readPlan(path).decisions ?? {}) : {};

/** @throws {UserError} where it cannot be written */
export async function writePlan(path: string, plan: Plan): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify(plan, undefined, 2)}\n`);
  } catch (error) {
    throw new UserError(
      `cannot write the plan to ${path}: ${(error as NodeJS.ErrnoException).code ?? ''}`,
      'Nothing was changed.',
    );
  }
}

/**
 * Takes a plan as it is: its files must be those that it was made for.
 * @param base the folder that the plan's paths are relative to
 * @throws {UserError} naming the files that are not
 */
export function replayed(plan: Plan, base: string): Planned {
  const texts: Planned['texts'] = new Map();
  const changed: string[] = [];
  for (const [shown, { sha256: hash, edits }] of Object.entries(plan.files)) {
    if (edits.length === 0) continue;
    const path = join(base, shown);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (text === undefined || sha256(text) !== hash) changed.push(shown);
    else texts.set(shown, { path, text });
  }
  if (changed.length > 0)
    throw new UserError(
      `not what the plan was made for: ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? `, … (${changed.length})` : ''}`,
      'Nothing was changed. Give the folder that was planned, or plan again.',
    );
  const manifests = [...texts].flatMap(([shown, { path }]) =>
    /(?:^|\/)package\.json$/.test(shown) ? [path] : [],
  );
  return { plan, base, texts, failures: [], notes: [], manifests, files: texts.size };
}
