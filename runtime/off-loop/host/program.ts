/** The host's end of the channel to the thread that started it. */
export interface Port {
  post(message: unknown, transfer?: readonly unknown[]): void;
  /** Takes messages from now on; what came before is handed over first. */
  listen(take: (message: never) => void): void;
  /** Says that a call begins. False: the host has been given up, what is behind the running call is done elsewhere. */
  begin(id: number): boolean;
}

/** What a host program is given besides its port: it can import nothing. */
export interface Surroundings {
  require: NodeJS.Require;
  /** import() of a URL or a builtin. */
  load(specifier: string): Promise<Record<string, unknown>>;
}

type AnyFunction = (...args: never[]) => unknown;

/**
 * The source of a program for another thread or process, made from functions that hold no reference to their module:
 * what they use besides globals is handed to them. So a host needs no file, which a bundle or an archive would not have.
 * @param main called with the port, the initial data and `{ require, load, ...tools }`
 */
export function programOf(main: AnyFunction, tools: Record<string, AnyFunction>): string {
  const parts = Object.entries(tools).map(([name, tool]) => `${name}: ${String(tool)}`);
  const helper = namingHelper();
  return [
    '(port, init, require, load) => {',
    helper === undefined ? '' : `const ${helper} = (it) => it;`,
    `return (${String(main)})(port, init, { require, load, ${parts.join(',\n')} });`,
    '}',
  ].join('\n');
}

/** esbuild's keepNames (and so tsx) wraps every function in a call that sets its name; minified, the helper's name can only be seen. */
function namingHelper(): string | undefined {
  const probe = (): (() => number) => {
    const named = (): number => 0;
    return named;
  };
  return /([\w$]+)\(\s*\(\)\s*=>/.exec(String(probe).replace(/^\s*\(\)\s*=>/, ''))?.[1];
}
