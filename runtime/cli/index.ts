export { defineCommand, type Command, type Context } from './command.ts';
export { COMMANDS, dispatch, installCommand } from './dispatch.ts';
export { EXIT, UserError } from './exit.ts';
export { withLock } from '../files/lock.ts';
export { replaceFile } from '../files/replace.ts';
export type { Flag, Flags, Values } from './flags.ts';
export { nearest } from './nearest.ts';
export { table, terminal, type Sink, type Terminal } from './terminal.ts';
