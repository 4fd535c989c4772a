import { resolve } from 'node:path';
import { settingsFinder } from 'eslint-plugin-owned-spawn/api';
import type { API, FileInfo, Options } from 'jscodeshift';
import { planText } from '../plan/plan-text.ts';
import type { Outliving } from '../plan/plan.ts';
import { transform } from './transform.ts';

const OUTLIVING: readonly Outliving[] = ['leave', 'own', 'detach'];

/** One a process: it keeps the configs that it has loaded. */
const settingsOf = settingsFinder(process.cwd());

/** Plans and edits one file of a jscodeshift run; what is left is reported with its reason. */
export async function transformAlone(
  file: FileInfo,
  api: API,
  options: Options,
): Promise<string | undefined> {
  const outliving = OUTLIVING.find((each) => each === (options.outliving ?? 'leave'));
  if (!outliving)
    throw new Error(`--outliving takes ${OUTLIVING.join(', ')}, not "${String(options.outliving)}"`);
  const path = resolve(file.path);
  const settings = await settingsOf({ path, explicit: false });
  if (!settings) return undefined;
  const plan = planText(file.source, path, {
    settings,
    outliving,
    markers: Boolean(options.insertMarkers ?? options['insert-markers']),
    todos: Boolean(options.insertTodos ?? options['insert-todos']),
  });
  for (const { status, line, column, reason, short } of plan.sites) {
    if (status !== 'left') continue;
    api.stats(`left: ${reason ?? ''}`);
    api.report(`${line}:${column}  ${reason ?? ''}  ${short ?? ''}`);
  }
  return transform(file, api, plan);
}
