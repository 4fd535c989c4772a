import type { NoAwait, NoTwin } from 'eslint-plugin-owned-spawn/api';
import type { ReasonText } from '../reasons.ts';

/** Why a blocking call is not moved off the loop. */
export type OffLoopReason =
  | NoAwait
  | NoTwin
  | 'accessor'
  | 'array-callback'
  | 'callback-stored'
  | 'constructor'
  | 'done-callback'
  | 'escapes'
  | 'event-in-step'
  | 'exit-handler'
  | 'expect-throws'
  | 'generator'
  | 'not-on-loop'
  | 'outside-paths'
  | 'override-set'
  | 'promise-executor'
  | 'public-api'
  | 'read-modify-write'
  | 'render'
  /** Of both recipes. */
  | 'replaced-in-test'
  | 'sqlite'
  | 'sqlite-escapes'
  | 'sqlite-exported'
  | 'sqlite-feature'
  | 'sqlite-late-error'
  | 'sqlite-options'
  | 'sync-contract'
  | 'test-suite'
  | 'twin-name'
  | 'type-use'
  | 'unawaited-caller'
  | 'unknown-callback'
  | 'unknown-caller'
  | 'untyped-use';

const FACTORY = 'Do the work in an async function that the caller awaits, a static factory for instance.';
const BY_HAND = 'Rewrite it by hand, or say in a marker why it may block.';

export const OFF_LOOP_REASONS: Readonly<Record<OffLoopReason, ReasonText>> = {
  accessor: { short: 'a getter or setter cannot wait', long: `Make it a method. ${FACTORY}` },
  'array-callback': {
    short: 'the callback of an array method cannot wait',
    long: 'Collect the results first, in a loop or by Promise.all, and then filter, sort or reduce them.',
  },
  'callback-stored': {
    short: 'the function that it is handed to does more with it than call it',
    long: BY_HAND,
  },
  'class-field': { short: "a field's value cannot wait", long: FACTORY },
  constructor: { short: 'a constructor cannot wait', long: FACTORY },
  decorator: { short: 'a decorator cannot wait', long: BY_HAND },
  descriptor: {
    short: 'the call takes a file descriptor',
    long: 'Open the file by fs.promises.open and use the FileHandle.',
  },
  'done-callback': {
    short: 'a test that takes `done` cannot be async too',
    long: 'Remove `done` from the test, then run the command again.',
  },
  escapes: { short: 'the function is handed on as a value', long: BY_HAND },
  'event-in-step': {
    short: 'the event counts on its listener being through when it is over',
    long: 'Collect promises and wait for them at the end, or read by `for await`; what is asked of a listener by an event, ask of a function.',
  },
  'exit-handler': {
    short: 'what runs when the process ends must not wait',
    long: 'Nothing to do: what an exit handler awaits never runs.',
  },
  'expect-throws': {
    short: 'a test expects the call to throw at once',
    long: 'Write `await expect(…).rejects.toThrow()`, then run the command again.',
  },
  generator: {
    short: 'a generator that is not async cannot wait',
    long: 'Make it an async generator, and its loops `for await`.',
  },
  'indirect-call': { short: 'the function is handed in, bound, applied or stored', long: BY_HAND },
  'no-twin': { short: 'the API has no asynchronous form that is called alike', long: BY_HAND },
  'not-on-loop': {
    short: 'nothing on the event loop leads here',
    long: 'Nothing to do. --everywhere migrates such calls too.',
  },
  'optional-chain': {
    short: 'an optional chain goes on behind the call',
    long: 'Take the call out of the chain, then run the command again.',
  },
  'outside-paths': {
    short: 'a file that would change with it is not among the given paths',
    long: 'Give the command the whole project.',
  },
  'override-set': {
    short: 'it overrides a member from outside of the program',
    long: BY_HAND,
  },
  'parameter-default': {
    short: "a parameter's default cannot wait",
    long: 'Read it in the body of the function.',
  },
  'promise-executor': {
    short: 'the executor of a promise cannot wait',
    long: 'Make the function around it async instead of building the promise by hand.',
  },
  'public-api': {
    short: 'others may call the function, which would give a promise',
    long: 'Say --twins to write an async twin beside it that is called where the loop waits, or --allow-api-change to change it all the same.',
  },
  'read-modify-write': {
    short: 'something else could run between the read and the write that belongs to it',
    long: 'Put both behind a lock or a queue, or into a transaction; what is blocking now is atomic by accident.',
  },
  render: {
    short: 'what renders must not wait',
    long: 'Load what it needs before it renders, and hand it in.',
  },
  'replaced-in-test': {
    short: 'a test puts something else in its place, which the migrated call would get past',
    long: 'Say --despite-doubles to migrate it all the same, and adapt the test: let it use real files and processes, or replace what is called then.',
  },
  'result-differs': {
    short: 'the asynchronous form gives something else, and that is used',
    long: 'Give the call an encoding, or rewrite it by hand.',
  },
  sqlite: {
    short: 'the database is not followed to here from where it is opened',
    long: 'Open it by openDatabase of owned-spawn/sqlite, or move the module into a worker by owned-spawn/offload.',
  },
  'sqlite-escapes': {
    short: 'the database or its statement is handed on as a value',
    long: 'Use it by the name that it is exported under, or open it by openDatabase of owned-spawn/sqlite by hand.',
  },
  'sqlite-exported': {
    short: 'code that is not seen may use the database or its statement',
    long: 'Put its queries behind functions of its module, or open it by openDatabase of owned-spawn/sqlite by hand.',
  },
  'sqlite-feature': {
    short: 'owned-spawn/sqlite has no such form of what is done with the database',
    long: 'Functions, aggregates and extensions go into a module that the option `setup` names; BEGIN and COMMIT become db.transaction.',
  },
  'sqlite-late-error': {
    short: 'an error of the opening or of the SQL is caught here, and would show at the first use',
    long: 'Catch it where the statement is run, then run the command again.',
  },
  'sqlite-options': {
    short: 'the database is opened with options that owned-spawn/sqlite does not have, or that are not seen',
    long: 'Write the options into the call, without those like `verbose`; then run the command again.',
  },
  'static-block': { short: 'a static block cannot wait', long: FACTORY },
  'sync-contract': { short: 'the language calls it, and wants a value at once', long: BY_HAND },
  'test-suite': { short: 'the body of a suite cannot wait', long: 'Read it in a `before` hook.' },
  'top-level': {
    short: 'the top level of this file cannot wait',
    long: 'Call it from an async function, or make the file an ES module.',
  },
  'twin-name': {
    short: 'the name of its async twin is taken',
    long: 'If that is its twin, call it where the loop waits; else rename it, then run the command again.',
  },
  'twin-options': { short: 'the asynchronous form takes no such options', long: BY_HAND },
  'type-use': {
    short: 'a type speaks of the function',
    long: 'Change the type by hand, then run the command again.',
  },
  'unawaited-caller': {
    short: 'a caller does not wait for it, and what follows there can see what it did at once',
    long: 'Await the call, or what it gives, before what follows; then run the command again.',
  },
  'unknown-callback': {
    short: 'who calls the callback, and whether it waits, is not known',
    long: BY_HAND,
  },
  'unknown-caller': {
    short: 'nothing in the program calls the exported function',
    long: 'If a framework calls it and waits, say --allow-api-change.',
  },
  'untyped-use': {
    short: 'something without a type has a member of this name',
    long: 'Give it a type, or another name to one of the two; then run the command again.',
  },
};
