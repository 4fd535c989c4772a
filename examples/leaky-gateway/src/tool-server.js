import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';

const script = join(import.meta.dirname, '../programs/notes-mcp-server.js');
const client = new Client({ name: 'leaky-gateway', version: '1.0.0' });

let child;

/** Speaks MCP over a child's stdio. The SDK's own transport can end one process only, and `npx some-server` is several. */
class ChildTransport {
  #child;
  #buffer = new ReadBuffer();

  constructor(child) {
    this.#child = child;
  }

  async start() {
    this.#child.stdout.on('data', (chunk) => {
      this.#buffer.append(chunk);
      for (let message; (message = this.#buffer.readMessage()) !== null;) this.onmessage?.(message);
    });
    this.#child.once('exit', () => this.onclose?.());
  }

  async send(message) {
    this.#child.stdin.write(serializeMessage(message));
  }

  async close() {
    this.#child.stdin.end();
  }
}

export async function startToolServer() {
  child = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  await client.connect(new ChildTransport(child));
}

export async function callTool(name, args) {
  const { content } = await client.callTool({ name, arguments: args });
  return content;
}

export function stopToolServer() {
  if (child) process.kill(-child.pid, 'SIGTERM');
}
