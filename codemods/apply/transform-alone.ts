import type { API, FileInfo, Options } from 'jscodeshift';
import { planText } from '../plan/plan-text.ts';
import type { Outliving } from '../plan/plan.ts';
import { transform } from './transform.ts';

const OUTLIVING: readonly Outliving[] = ['leave', 'own', 'detach'];

/** Plans and edits one file of a jscodeshift run; what is left is reported with its reason. */
export function transformAlone(file: FileInfo, api: API, options: Options): string | undefined {
  const outliving = OUTLIVING.find((each) => each === (options.outliving ?? 'leave'));
  if (!outliving)
    throw new Error(`--outliving takes ${OUTLIVING.join(', ')}, not "${String(options.outliving)}"`);
  const plan = planText(file.source, file.path, {
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
