import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

export interface Position {
  line: number;
  character: number;
}
export interface TextEdit {
  range: { start: Position; end: Position };
  newText: string;
}
export interface Diagnostic {
  range: { start: Position; end: Position };
  severity: number;
  code: string;
  codeDescription?: { href: string };
  message: string;
  source: string;
}
export interface CodeAction {
  title: string;
  kind?: string;
  command?: { command: string; arguments?: unknown[] };
}

/** The settings that editors send to vscode-eslint's server; see its README for what they mean. */
const SETTINGS = {
  validate: 'on',
  packageManager: 'npm',
  useESLintClass: true,
  useFlatConfig: true,
  experimental: { useFlatConfig: false },
  codeAction: {
    disableRuleComment: { enable: true, location: 'separateLine', commentStyle: 'line' },
    showDocumentation: { enable: true },
  },
  codeActionOnSave: { mode: 'all' },
  format: false,
  quiet: false,
  onIgnoredFiles: 'off',
  options: {},
  rulesCustomizations: [],
  run: 'onType',
  problems: { shortenToSingleLine: false },
  nodePath: null,
  workingDirectory: { mode: 'location' },
};

const CAPABILITIES = {
  workspace: {
    configuration: true,
    workspaceFolders: true,
    applyEdit: true,
    workspaceEdit: { documentChanges: true },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: true },
    publishDiagnostics: { relatedInformation: true },
    diagnostic: { dynamicRegistration: true },
    codeAction: {
      dynamicRegistration: true,
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['', 'quickfix', 'source.fixAll'] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
  },
};

/** The part of an editor that talks to vscode-eslint's language server over standard input and output, with one document open. */
export class LanguageClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #folder: { uri: string; name: string };
  readonly #pending = new Map<number, (message: Message) => void>();
  #input = Buffer.alloc(0);
  #lastId = 0;
  #version = 0;
  #uri = '';
  #edits: TextEdit[] = [];
  /** What the open document holds. */
  text = '';
  /** What the server wrote to standard error. */
  complaints = '';

  constructor(server: string, folder: string) {
    this.#child = spawn(process.execPath, [server, '--stdio'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#folder = { uri: pathToFileURL(folder).href, name: 'app' };
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.complaints += text));
    this.#child.stdout.on('data', (bytes: Buffer) => {
      this.#input = Buffer.concat([this.#input, bytes]);
      this.#read();
    });
    this.#child.once('exit', (code) => {
      for (const settle of this.#pending.values())
        settle({ error: { message: `the server ended with ${String(code)}: ${this.complaints}` } });
    });
  }

  async start(): Promise<void> {
    const { uri } = this.#folder;
    await this.request('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [this.#folder],
      capabilities: CAPABILITIES,
    });
    this.#send({ method: 'initialized', params: {} });
  }

  open(path: string, languageId: string, text: string): void {
    this.#uri = pathToFileURL(path).href;
    this.text = text;
    const textDocument = { uri: this.#uri, languageId, version: ++this.#version, text };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
  }

  /** Gives the open document another text, as typing does. */
  change(text: string): void {
    this.text = text;
    const textDocument = { uri: this.#uri, version: ++this.#version };
    this.#send({ method: 'textDocument/didChange', params: { textDocument, contentChanges: [{ text }] } });
  }

  async diagnostics(): Promise<Diagnostic[]> {
    const params = { textDocument: { uri: this.#uri } };
    return ((await this.request('textDocument/diagnostic', params)) as { items: Diagnostic[] }).items;
  }

  async actions(diagnostic: Diagnostic): Promise<CodeAction[]> {
    const context = { diagnostics: [diagnostic], triggerKind: 1 };
    const params = { textDocument: { uri: this.#uri }, range: diagnostic.range, context };
    return (await this.request('textDocument/codeAction', params)) as CodeAction[];
  }

  /** Runs an action and makes its edits in the open document. */
  async apply({ command, title }: CodeAction): Promise<void> {
    this.#edits = [];
    await this.request('workspace/executeCommand', command);
    if (this.#edits.length === 0) throw new Error(`"${title}" brought no edit`);
    const lines = this.text.split('\n');
    const offset = ({ line, character }: Position): number =>
      lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
    const sorted = [...this.#edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
    let text = this.text;
    for (const { range, newText } of sorted)
      text = text.slice(0, offset(range.start)) + newText + text.slice(offset(range.end));
    this.change(text);
  }

  request(method: string, params?: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((done, failed) => {
      this.#pending.set(id, ({ result, error }) => {
        this.#pending.delete(id);
        if (error) failed(new Error(`${method}: ${error.message}`));
        else done(result);
      });
      this.#send({ id, method, params });
    });
  }

  #send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.#child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#child.stdin.write(body);
  }

  #read(): void {
    for (;;) {
      const head = this.#input.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#input.subarray(0, head).toString())?.[1]);
      if (this.#input.length < head + 4 + length) return;
      const message = JSON.parse(this.#input.subarray(head + 4, head + 4 + length).toString()) as Message;
      this.#input = this.#input.subarray(head + 4 + length);
      if (message.method === undefined) this.#pending.get(message.id ?? 0)?.(message);
      else if (message.id !== undefined) this.#send({ id: message.id, result: this.#answer(message) });
    }
  }

  /** What an editor answers to the server's own questions. */
  #answer({ method, params }: Message): unknown {
    const workspaceFolder = this.#folder;
    switch (method) {
      case 'workspace/configuration':
        return (params as { items: unknown[] }).items.map(() => ({ ...SETTINGS, workspaceFolder }));
      case 'workspace/workspaceFolders':
        return [workspaceFolder];
      case 'workspace/applyEdit': {
        const { edit } = params as {
          edit: { changes?: Record<string, TextEdit[]>; documentChanges?: { edits: TextEdit[] }[] };
        };
        this.#edits = edit.changes?.[this.#uri] ?? edit.documentChanges?.flatMap(({ edits }) => edits) ?? [];
        return { applied: true };
      }
      case 'eslint/confirmESLintExecution':
        return 4;
      default:
        return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = this.#child.exitCode === null ? once(this.#child, 'exit') : undefined;
    this.#child.kill('SIGKILL');
    await gone;
  }
}
