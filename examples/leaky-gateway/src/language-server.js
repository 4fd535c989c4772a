import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const bin = createRequire(import.meta.url).resolve('dockerfile-language-server-nodejs/bin/docker-langserver');
const pending = new Map();
const diagnostics = new Map();

let child;
let lastId = 0;
let version = 0;

export async function startLanguageServer() {
  const options = { stdio: ['pipe', 'pipe', 'ignore'] };
  options.detached = true;
  child = spawn(process.execPath, [bin, '--stdio'], options);
  read(child.stdout, (message) => {
    if (message.method === 'textDocument/publishDiagnostics') {
      diagnostics.get(message.params.uri)?.(message.params.diagnostics);
    }
    pending.get(message.id)?.(message.result);
    pending.delete(message.id);
  });
  await request('initialize', { processId: null, rootUri: null, capabilities: {} });
  send({ method: 'initialized', params: {} });
}

/** The messages of the server on a Dockerfile. */
export async function diagnose(text) {
  const uri = `untitled:Dockerfile-${++version}`;
  const published = new Promise((resolve) => diagnostics.set(uri, resolve));
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'dockerfile', version, text } },
  });
  const messages = (await published).map(({ message, range }) => ({ line: range.start.line + 1, message }));
  diagnostics.delete(uri);
  return messages;
}

export function stopLanguageServer() {
  if (child) process.kill(-child.pid, 'SIGTERM');
}

function request(method, params) {
  const id = ++lastId;
  send({ id, method, params });
  return new Promise((resolve) => pending.set(id, resolve));
}

function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Cuts the stream into messages: a Content-Length header, an empty line, the body. */
function read(stream, onMessage) {
  let buffer = Buffer.alloc(0);
  stream.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const header = /^Content-Length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(buffer.toString('latin1'));
      if (!header) return;
      const start = header[0].length;
      const end = start + Number(header[1]);
      if (buffer.length < end) return;
      onMessage(JSON.parse(buffer.toString('utf8', start, end)));
      buffer = buffer.subarray(end);
    }
  });
}
