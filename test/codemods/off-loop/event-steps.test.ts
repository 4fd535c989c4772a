import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

describe('what was one step by accident, by an event', () => {
  it('is left where an event counts on its listener being through', async () => {
    const text = `import { EventEmitter } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const bus = new EventEmitter();
bus.on('load', (context) => { context.text = readFileSync(context.file, 'utf8'); });
export function load(file) { const context = { file }; bus.emit('load', context); return context.text; }
export function collect(done) {
  const all = [];
  createReadStream('a').on('data', (chunk) => { all.push(chunk + readFileSync('b')); }).on('end', () => { done(all); });
  const lines = createInterface({ input: createReadStream('c') });
  let length = 0;
  lines.on('line', (line) => { length += readFileSync(line).length; });
  lines.once('close', () => { done(length); });
}
`;
    const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.equal(texts['a.js'], text);
    assert.deepEqual(said, [
      'a.js:5 left event-in-step',
      'a.js:9 left event-in-step',
      'a.js:12 left event-in-step',
    ]);
    const free = await moved({
      'package.json': PACKAGE,
      'b.js': `import { readFileSync } from 'node:fs';
import { server } from './server.js';
server.on('connection', (socket) => {
  socket.on('data', (name) => { socket.write(readFileSync(String(name))); });
  socket.on('message', (call) => { call.text = readFileSync('x'); });
});
`,
    });
    assert.deepEqual(free.said, ['b.js:4 migrate void-callback', 'b.js:5 migrate void-callback']);
  });
});
