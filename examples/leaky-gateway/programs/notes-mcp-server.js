// An MCP server over stdio. The SDK's transport takes no notice of the end of stdin, and the timer keeps the process alive:
// once its client is gone, it stays for good.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const notes = [];
const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.registerTool(
  'add_note',
  { description: 'Keep a note', inputSchema: { text: z.string() } },
  async ({ text }) => {
    notes.push({ text, saved: false });
    return { content: [{ type: 'text', text: `note ${notes.length}` }] };
  },
);
setInterval(() => {
  for (const note of notes) note.saved = true;
}, 5000);
await server.connect(new StdioServerTransport());
