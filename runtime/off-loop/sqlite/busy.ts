import { explainBusy } from '../locks.ts';

const EXPLAIN_MS = 500;
/** The same holder is named once in so many milliseconds. */
const REPEAT_MS = 5000;

/** SQLITE_BUSY and SQLITE_LOCKED's like, of either driver: https://www.sqlite.org/rescode.html */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return (
    (typeof code === 'string' && code.startsWith('SQLITE_BUSY')) ||
    (typeof errcode === 'number' && (errcode & 0xff) === 5)
  );
}

/** What says in the log who holds the lock of a database; an error's text is for programs. */
export function createExplainer(path: string, log: (message: string) => void): () => Promise<void> {
  let last = '';
  return async () => {
    const text = await Promise.race([
      explainBusy(path).then(
        (report) => report.text,
        () => '',
      ),
      new Promise<string>((done) => setTimeout(done, EXPLAIN_MS, '').unref()),
    ]);
    if (text === '' || text === last) return;
    last = text;
    setTimeout(() => (last = ''), REPEAT_MS).unref();
    log(text);
  };
}
