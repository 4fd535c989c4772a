import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [
    {
      name: 'methods with the names of a stream, of classes and objects that are none',
      code: `
import { readFileSync } from 'node:fs';
import { Transform } from './shapes.js';
export class Parser {
  _transform(path) { return readFileSync(path); }
  _read(path) { return readFileSync(path); }
  write(path) { return readFileSync(path); }
}
export class Move extends Transform {
  _flush(path) { return readFileSync(path); }
}
export const plugin = { transform(path) { return readFileSync(path); } };
`,
    },
    {
      name: 'what a class that extends a stream has besides, and a command',
      code: `
import { readFileSync } from 'node:fs';
import { Transform } from 'node:stream';
export class Lines extends Transform {
  constructor(path) {
    super();
    this.head = readFileSync(path);
  }
  transform(path) { return readFileSync(path); }
  static of(path) { return readFileSync(path); }
}
`,
    },
    {
      name: 'a stream of a command',
      code: `#!/usr/bin/env node
import { appendFileSync } from 'node:fs';
import { Writable } from 'node:stream';
process.stdin.pipe(new Writable({ write(chunk, encoding, callback) { appendFileSync('log', chunk); callback(); } }));
`,
    },
    {
      name: 'methods told by their shape, where shapes are switched off',
      settings: { 'owned-spawn': { context: { shapes: false } } },
      code: `
import { readFileSync } from 'node:fs';
import { Base } from './base.js';
export class Lines extends Base {
  _transform(chunk, encoding, callback) { callback(null, readFileSync(String(chunk))); }
}
`,
    },
  ],
  invalid: [
    {
      name: 'functions in the options of a stream, inline, by name, and what they call',
      code: `
import { appendFileSync, readFileSync } from 'node:fs';
import stream, { Readable, Transform } from 'node:stream';
export const lines = () => new Transform({ transform(chunk, encoding, callback) { callback(null, read(chunk)); } });
function read(chunk) { return readFileSync(String(chunk)); }
export const log = () => new stream.Writable({ objectMode: true, write: save, final });
function save(chunk, encoding, callback) { appendFileSync('log', chunk); callback(); }
const final = (callback) => { appendFileSync('log', 'end'); callback(); };
export const source = () => new Readable({ read: () => readFileSync('x') });
export const web = () => new TransformStream({ transform: (chunk, to) => to.enqueue(readFileSync(chunk)) });
`,
      errors: [
        { messageId: 'path', line: 4 },
        { messageId: 'direct', line: 7 },
        { messageId: 'direct', line: 8 },
        { messageId: 'direct', line: 9 },
        { messageId: 'direct', line: 10 },
      ],
    },
    {
      name: 'methods of a class that extends a stream, as compilers write it too',
      code: `
const fs_1 = require('fs');
const stream_1 = require('stream');
const { Readable } = require('readable-stream');
class Lines extends stream_1.Transform {
  _transform(chunk) { this.push(fs_1.readFileSync(String(chunk))); }
  _flush(callback) { fs_1.unlinkSync('lock'); callback(); }
}
class Source extends Readable {
  _read() { this.push(fs_1.readFileSync('x')); }
}
`,
      errors: [
        {
          messageId: 'direct',
          line: 6,
          data: {
            name: 'readFileSync',
            inside: "`Lines._transform`, a stream's callback",
            bound: '',
            advice: 'Await `fs.promises.readFile`, or move it off the loop.',
          },
        },
        { messageId: 'direct', line: 7 },
        { messageId: 'direct', line: 10 },
      ],
    },
    {
      name: 'methods with the name and the parameters of those of a stream',
      code: `
import { appendFileSync, readFileSync } from 'node:fs';
import { inherits } from 'node:util';
import { Base } from './base.js';
export class Log extends Base {
  _write(chunk, encoding, next) { appendFileSync('log', chunk); next(); }
}
function Lines() { Transform.call(this); }
inherits(Lines, Transform);
Lines.prototype._transform = function (chunk, encoding, callback) { callback(null, readFileSync(String(chunk))); };
`,
      errors: [
        { messageId: 'direct', line: 6 },
        { messageId: 'direct', line: 10 },
      ],
    },
    {
      name: 'what makes a stream of a function, and generators that a stream iterates',
      code: `
import { openSync } from 'node:fs';
import { Duplex, pipeline } from 'node:stream';
import through from 'through2';
export const files = () => through.obj((file, encoding, callback) => callback(null, openSync(file)));
export const duplex = () => Duplex.from(async function* (source) { yield openSync('x'); });
export function run(source, to) {
  pipeline(source, async function* (paths) { for await (const path of paths) yield openSync(path); }, to, done);
}
`,
      errors: [5, 6, 8].map((line) => ({ messageId: 'direct', line })),
    },
  ],
});
