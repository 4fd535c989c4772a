import { table, type Terminal } from 'owned-spawn/cli';
import type { ExplainedCall, ExplainedWay } from '../explain-site.ts';

/** What `--explain` says of calls, for people. */
export const explanationText = (calls: readonly ExplainedCall[], paint: Terminal): string =>
  `${calls.map((call) => linesOf(call, paint).join('\n')).join('\n\n')}\n`;

function linesOf(call: ExplainedCall, paint: Terminal): string[] {
  const { name, callee, file, line, column, isReported, why, ways } = call;
  const place = paint.underline(`${file}:${line}:${column}`);
  const known = callee !== null && callee !== name ? ` (${callee})` : '';
  const verdict = isReported ? paint.yellow('is reported') : paint.green('is not reported');
  return [
    `${place}  ${name}${known} ${verdict}`,
    ...why.map((sentence) => `  ${sentence}`),
    ...ways.flatMap((way, index) => ['', ...wayLines(way, index + 1, paint)]),
  ];
}

function wayLines({ functions, steps, silence }: ExplainedWay, number: number, paint: Terminal): string[] {
  const [root] = functions;
  const rows = steps.map(({ name, file, line, column }, index) => [
    name,
    paint.dim(`${file}:${line}:${column}`),
    index === 0 ? '' : paint.dim(`in ${functions[index]?.name ?? ''}, which runs where it is called`),
  ]);
  return [
    `  Way ${number}, from ${root?.name ?? ''} (${root?.file ?? ''}:${root?.line ?? 0}). ${root?.why ?? ''}`,
    ...table(rows).map((row) => `    ${row}`.trimEnd()),
    ...(silence === null ? [] : [`    ${silence}`]),
  ];
}
