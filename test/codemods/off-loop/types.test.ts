import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { Project } from '../project.ts';
import { moved } from './plan.ts';

const FILES = {
  'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
  'store.ts': `import { readFileSync, readdirSync } from 'node:fs';
export interface Store {
  read(key: string): string;
  size?(key: string): number;
}
export abstract class Base implements Store {
  abstract read(key: string): string;
  size(key: string): number { return this.read(key).length; }
}
export class FileStore extends Base {
  constructor(private readonly folder: string) { super(); }
  override read(key: string): string { return readFileSync(this.folder + key, 'utf8'); }
  list = (): string[] => readdirSync(this.folder);
}
export class MemoryStore extends Base {
  override read(key: string) { return key; }
}
`,
  'lib.ts': `import * as fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
export function load(file: string): Buffer;
export function load(file: string, encoding: BufferEncoding): string;
export function load(file: string, encoding?: BufferEncoding): string | Buffer {
  return fs.readFileSync(file, encoding);
}
export type Loaded = ReturnType<typeof sizes>;
export const sizes = (files: readonly string[]): Map<string, number> => {
  const found = new Map<string, number>();
  for (const file of files) found.set(file, fs.readFileSync(file).length);
  return found;
};
export function each<T>(list: readonly T[], visit: (item: T) => void): void {
  for (const item of list) visit(item);
}
export const commit = (): string => execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
export const packed = (file: string): Buffer => gzipSync(load(file));
`,
  'tools.ts': `import { readFileSync } from 'node:fs';
export interface Tool { run(file: string): string | Promise<string> }
const tools: readonly Tool[] = [
  { run: (file) => readFileSync(file, 'utf8') },
  { run(file): string | Promise<string> { return readFileSync(file, 'latin1'); } },
];
export async function first(file: string): Promise<string> {
  for (const tool of tools) return (await tool.run(file)).trim();
  return '';
}
`,
  'server.ts': `import { createServer } from 'node:http';
import { commit, each, load, packed, sizes, type Loaded } from './lib.ts';
import { FileStore, MemoryStore, type Store } from './store.ts';
const stores: Store[] = [new FileStore('a'), new MemoryStore()];
createServer((request, response) => {
  const name = request.url ?? '';
  const all: Loaded = sizes([name]);
  const total: number = [...all.values()].reduce((sum, each) => sum + each, 0);
  response.setHeader('x-total', total);
  stores.forEach((store) => { response.write(store.read(name).trim() + String((store.size?.(name) ?? 0) + 1)); });
  each(['a', 'b'], (file) => { response.write(load(file, 'utf8').toUpperCase()); });
  const lines: string[] = new FileStore('b').list().map((file) => file + '!');
  const first: string | undefined = lines[0]?.slice(1);
  response.end(commit() + String(first) + String(packed(name).byteLength));
}).listen(1);
`,
};

/** What TypeScript says of the files, as a strict project. */
function diagnosticsOf(texts: Readonly<Record<string, string>>): string[] {
  using project = new Project(texts);
  const names = Object.keys(texts).filter((name) => name.endsWith('.ts'));
  const program = ts.createProgram(
    names.map((name) => join(project.folder, name)),
    {
      strict: true,
      noEmit: true,
      noImplicitOverride: true,
      allowImportingTsExtensions: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      typeRoots: [resolve('node_modules/@types')],
      types: ['node'],
      skipLibCheck: true,
    },
  );
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.slice(project.folder.length + 1) ?? ''}:${String(line)} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

describe('types', () => {
  it('are right after the migration of a project where they were', async () => {
    assert.deepEqual(diagnosticsOf(FILES), []);
    const { texts, said } = await moved(FILES);
    assert.deepEqual(diagnosticsOf(texts), []);
    assert.deepEqual(
      said.map((line) => line.split(' ').slice(0, 2).join(' ')),
      [7, 12, 18, 19]
        .map((line) => `lib.ts:${String(line)} migrate`)
        .concat(['store.ts:12 migrate', 'store.ts:13 migrate', 'tools.ts:4 migrate', 'tools.ts:5 migrate']),
    );
    assert.match(
      texts['tools.ts'] ?? '',
      /interface Tool \{ run\(file: string\): string \| Promise<string> \}/,
    );
    assert.match(texts['tools.ts'] ?? '', /async run\(file\): Promise<string> \{/);
  });

  it('are seen to be wrong by this test', () => {
    assert.match(
      diagnosticsOf({
        ...FILES,
        'wrong.ts': `import { load } from './lib.ts';\nexport const n: number = load('x');\n`,
      })[0] ?? '',
      /^wrong\.ts:2 /,
    );
  });
});

it('what a comment says that a function gives is a promise from now on', async () => {
  const { texts } = await moved({
    'package.json': JSON.stringify({ name: 'app', private: true }),
    'a.js': `const fs = require('fs');
/** @returns {string} its text */
function load(file) { return fs.readFileSync(file, 'utf8'); }
/** @type {(file: string, most?: number) => number | undefined} */
const size = (file) => load(file).length;
/** @type {import('./types').Loader} */
const other = (file) => file;
setInterval(() => { console.log(size('x'), other('y')); }, 1);
`,
  });
  assert.match(texts['a.js'] ?? '', /@returns \{Promise<string>\} its text/);
  assert.match(
    texts['a.js'] ?? '',
    /@type \{\(file: string, most\?: number\) => Promise<number \| undefined>\}/,
  );
});
