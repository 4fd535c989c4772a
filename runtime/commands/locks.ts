import { resolve } from 'node:path';
import { defineCommand } from '../cli/command.ts';
import { EXIT, UserError } from '../cli/exit.ts';
import { table } from '../cli/terminal.ts';
import { explainBusy, type LockReport } from '../off-loop/locks.ts';

export const command = defineCommand({
  name: 'locks',
  summary: 'say who keeps writers out of a SQLite database',
  usage: '[options] FILE',
  flags: {
    all: { help: 'show readers too, which keep nobody out' },
    json: { help: 'print the holders as JSON' },
  },
  examples: [
    ['owned-spawn locks app.db', 'who holds the lock behind "database is locked"'],
    ['owned-spawn locks --all --json app.db', 'every lock, for a script'],
  ],
  async run(values, [file, ...rest], { cwd, out }) {
    if (file === undefined || rest.length > 0) throw new UserError('locks takes one database file');
    const path = resolve(cwd, file);
    let report: LockReport;
    try {
      report = await explainBusy(path);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_OWNED_SPAWN_UNSUPPORTED') throw new UserError(message);
      throw new UserError(
        code === 'ENOENT' ? `there is no file ${path}` : `cannot look at ${path}: ${message}`,
      );
    }
    const blocking = report.holders.filter(({ blocks }) => blocks);
    const shown = values.all ? report.holders : blocking;
    if (values.json) out.line(JSON.stringify(shown, null, 2));
    else if (shown.length === 0) out.line(report.text);
    else {
      const rows = shown.map(({ pid, lock, mode, file: on, blocks, command: name }) => [
        String(pid ?? '?'),
        lock,
        mode.toLowerCase(),
        on,
        blocks ? 'yes' : 'no',
        name,
      ]);
      for (const line of table([['pid', 'lock', 'mode', 'file', 'blocks', 'command'], ...rows], [0]))
        out.line(line);
    }
    return blocking.length > 0 ? EXIT.no : EXIT.ok;
  },
});
