// A development server: node preview-server.js --port PORT
import { createServer } from 'node:http';

const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
createServer((request, response) => response.end('<h1>Preview</h1>')).listen(port, '127.0.0.1');
