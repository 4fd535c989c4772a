// A gateway for editors and agents: one HTTP server in front of a preview server, a tool server, a language server,
// an index, a browser and two background jobs, all of them processes of their own.
import { createServer } from 'node:http';
import { startAuditExport } from './src/audit-export.js';
import { startBrowser, stopBrowser } from './src/browser.js';
import { search, startIndexer, stopIndexer } from './src/indexer.js';
import { diagnose, startLanguageServer, stopLanguageServer } from './src/language-server.js';
import { fetchPreview, startPreview, stopPreview } from './src/preview.js';
import { startThumbnails, stopThumbnails } from './src/thumbnails.js';
import { callTool, startToolServer, stopToolServer } from './src/tool-server.js';

const routes = {
  '/health': () => ({ ok: true, pid: process.pid }),
  '/preview': () => fetchPreview(),
  '/notes': ({ text }) => callTool('add_note', { text: text ?? 'an empty note' }),
  '/diagnostics': ({ dockerfile }) => diagnose(dockerfile ?? 'FROM node\nRUNN true\n'),
  '/search': ({ q }) => search(q ?? ''),
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://gateway');
  const route = routes[pathname];
  try {
    const [status, body] = route
      ? [200, await route(Object.fromEntries(searchParams))]
      : [404, { error: `no route ${pathname}` }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch (error) {
    response
      .writeHead(502, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: error.message }));
  }
});

function shutDown() {
  server.close();
  stopBrowser();
  stopThumbnails();
  stopIndexer();
  stopLanguageServer();
  stopToolServer();
  stopPreview();
  process.exit(0);
}
process.on('SIGINT', shutDown);
process.on('SIGTERM', shutDown);

/** Listens on the wanted port, or on any where that one is taken. */
function listen(port) {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE' && port !== 0) resolve(listen(0));
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => resolve(server.address().port));
  });
}

await Promise.all([startPreview(), startToolServer(), startLanguageServer(), startIndexer(), startBrowser()]);
startThumbnails();
startAuditExport();
const port = await listen(Number(process.env.PORT ?? 8787));
console.log(`gateway ready on http://127.0.0.1:${port}`);
