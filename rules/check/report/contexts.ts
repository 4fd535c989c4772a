import { table, type Terminal } from 'owned-spawn/cli';
import type { ContextSettings } from '../../apis/context-settings.ts';
import type { LoopContext, OffLoopFiles } from '../contexts.ts';

/** What each setting leaves out, or takes for a handler. */
const MEANINGS: Readonly<Record<keyof ContextSettings, string>> = {
  offFiles: 'files of these paths: tests, scripts, configs',
  commandFiles: 'files of these paths: commands',
  commands:
    'files with a shebang, of a bin or of a command line parser that start no server, timer or watcher',
  workers: 'files that speak to a parentPort or are named worker, and branches of isMainThread',
  exits: 'handlers of exits, crashes and leaving signals, and what stands before process.exit()',
  boot: 'the top level, and functions that only it reaches',
  once: 'what keeps its result in a variable of the module and looks there first',
  terminals: "children with stdio: 'inherit', which are handed the terminal",
  shapes: "on the loop: handlers by their shape, such as x.on('event', fn) or (req, res) => …",
  promises: 'on the loop: functions that return a promise, as async ones',
};

const MOST_FILES = 10;

/** What counts as off the loop, for people: a part for each set of settings. */
export const contextsText = (contexts: readonly LoopContext[], paint: Terminal): string =>
  contexts.length === 0
    ? 'No source files here.\n'
    : contexts.map((each) => `${linesOf(each, paint).join('\n')}\n`).join('\n');

function linesOf({ context, handlers, offLoop, files, offFiles }: LoopContext, paint: Terminal): string[] {
  const settings = Object.entries(MEANINGS).map(([name, meaning]) => {
    const value = context[name as keyof ContextSettings];
    const isOn = Array.isArray(value) ? value.length > 0 : value === true;
    return [name, isOn ? paint.green('on') : paint.dim('off'), meaning];
  });
  const rows = [
    ...handlers.map((row) => [rowText(row), row.as ?? 'a handler', 'called back on the loop']),
    ...offLoop.map((row) => [rowText(row), row.as ?? 'off the loop', 'runs what it is given off the loop']),
  ];
  return [
    `Off the event loop, by settings['owned-spawn'].context, for ${String(files)} file${files === 1 ? '' : 's'}:`,
    ...indented(table(settings)),
    ...(['offFiles', 'commandFiles'] as const).flatMap((name) =>
      context[name].length > 0 ? ['', `${name}:`, ...indented(context[name])] : [],
    ),
    ...(rows.length > 0 ? ['', 'Rows of the settings:', ...indented(table(rows))] : []),
    ...offFiles.flatMap((group) => ['', ...groupLines(group)]),
    ...(offFiles.length === 0 ? ['', 'No file is off the loop as a whole.'] : []),
  ];
}

function groupLines({ reason, setting, files }: OffLoopFiles): string[] {
  const left = files.length - MOST_FILES;
  return [
    `${String(files.length)} × ${reason} (${setting}):`,
    ...indented(files.slice(0, MOST_FILES)),
    ...(left > 0 ? indented([`and ${String(left)} more, which --format json lists`]) : []),
  ];
}

const rowText = ({ module, path = '' }: { module: string; path?: string }): string =>
  `${module} ${path}`.trim();

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`.trimEnd());
