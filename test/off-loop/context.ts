import type { Context } from '../../runtime/cli/command.ts';
import { terminal } from '../../runtime/cli/terminal.ts';

/** A command's surroundings, with what it prints. */
export function contextIn(cwd: string): {
  context: Context;
  out: () => string;
  err: () => string;
  abort: () => void;
} {
  const printed = { out: '', err: '' };
  const controller = new AbortController();
  const sink = (name: 'out' | 'err') => terminal({ write: (text) => (printed[name] += text) }, {});
  return {
    context: { cwd, env: process.env, out: sink('out'), err: sink('err'), signal: controller.signal },
    out: () => printed.out,
    err: () => printed.err,
    abort: () => {
      controller.abort();
    },
  };
}
