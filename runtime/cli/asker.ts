import { createInterface } from 'node:readline';

/** Asks a person something and resolves with the answer, without its line end; undefined where the input has ended. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Asks on a terminal. Ctrl-C is the process's, as everywhere else. */
export function asker(input: NodeJS.ReadStream, output: NodeJS.WriteStream, signal: AbortSignal): Ask {
  return (question) =>
    new Promise((answer) => {
      const lines = createInterface({ input, output });
      const done = (text: string | undefined): void => {
        signal.removeEventListener('abort', stop);
        answer(text);
        lines.close();
      };
      const stop = (): void => {
        done(undefined);
      };
      signal.addEventListener('abort', stop);
      // In raw mode the terminal sends no signal for Ctrl-C.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      lines.on('close', stop);
      lines.question(question, done);
    });
}
