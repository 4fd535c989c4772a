/** An error as data: what structured clone keeps of one is less than what callers look at. */
export interface ErrorData {
  name: string;
  message: string;
  stack: string;
  /** The name of its class. */
  kind: string;
  /** Own properties: `code`, `errno`, `errcode`, … */
  props: Record<string, unknown>;
  cause?: ErrorData;
  errors?: ErrorData[];
  /** What was thrown, where it was no error. */
  thrown?: unknown;
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Makes data of whatever was thrown. Holds no reference to its module: hosts get its source. */
export function encodeError(thrown: unknown): ErrorData {
  const copied = (value: unknown): unknown => {
    try {
      return structuredClone(value);
    } catch {
      return String(value); // a function, a handle
    }
  };
  const encode = (error: unknown, depth: number): ErrorData => {
    if (typeof error !== 'object' || error === null || !('message' in error) || !('stack' in error)) {
      return {
        name: 'Error',
        message: String(error),
        stack: '',
        kind: 'Error',
        props: {},
        thrown: copied(error),
      };
    }
    const { name, message, stack, cause, errors } = error as AggregateError;
    const known = new Set(['name', 'message', 'stack', 'cause', 'errors']);
    const keys = Object.getOwnPropertyNames(error).filter((key) => !known.has(key));
    return {
      name,
      message,
      stack: stack ?? '',
      kind: (error as { constructor?: { name?: string } }).constructor?.name ?? 'Error',
      props: Object.fromEntries(keys.map((key) => [key, copied((error as Record<string, unknown>)[key])])),
      // A chain of causes may be circular.
      ...(cause !== undefined && depth < 8 && { cause: encode(cause, depth + 1) }),
      ...(Array.isArray(errors) && depth < 8 && { errors: errors.map((each) => encode(each, depth + 1)) }),
    };
  };
  return encode(thrown, 0);
}

/**
 * Makes an error of data: of the same class where we have it, with its properties, and with both stacks, as what failed is
 * there and what asked for it is here.
 * @param site an error captured at the call
 * @param classes classes beyond the built-in ones, by name
 */
export function decodeError(
  data: ErrorData,
  site: { stack?: string } | undefined,
  classes: Readonly<Record<string, ErrorClass>> = {},
): unknown {
  if ('thrown' in data) return data.thrown;
  const builtin = (globalThis as unknown as Record<string, unknown>)[data.kind];
  const isErrorClass = typeof builtin === 'function' && builtin.prototype instanceof Error;
  const kind = classes[data.kind] ?? (isErrorClass ? (builtin as ErrorClass) : Error);
  // Its properties are getters that know a real one.
  const isDom = data.kind === 'DOMException';
  const error = isDom ? new DOMException(data.message, data.name) : new Error(data.message);
  if (!isDom) Object.setPrototypeOf(error, kind.prototype as object);
  const hide = (key: string, value: unknown): void => {
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  };
  if (error.name !== data.name) hide('name', data.name);
  const callers = site?.stack?.split('\n').slice(1).join('\n');
  hide('stack', callers ? `${data.stack}\n    at (off the event loop, called by)\n${callers}` : data.stack);
  if (data.cause) hide('cause', decodeError(data.cause, undefined, classes));
  if (data.errors)
    hide(
      'errors',
      data.errors.map((each) => decodeError(each, undefined, classes)),
    );
  return Object.assign(error, data.props);
}

/** Codes of our own errors. */
export type OffLoopCode =
  | 'ERR_OWNED_SPAWN_CLOSED'
  | 'ERR_OWNED_SPAWN_DEADLOCK'
  | 'ERR_OWNED_SPAWN_HOST_LOST'
  | 'ERR_OWNED_SPAWN_NO_DRIVER'
  | 'ERR_OWNED_SPAWN_OVERLOAD'
  | 'ERR_OWNED_SPAWN_SECOND_SQLITE';

export const offLoopError = (code: OffLoopCode, message: string): Error & { code: OffLoopCode } =>
  Object.assign(new Error(message), { code });
