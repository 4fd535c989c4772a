// Keeps a list of the files below the working folder, and does not want to be stopped in the middle of it.
import { readdir } from 'node:fs/promises';

process.on('SIGTERM', () => console.error('index: finishing the batch first'));

let files = [];
async function update() {
  files = await readdir('.');
}
process.on('message', ({ id, text }) => {
  process.send({ id, files: files.filter((file) => file.includes(text)) });
});
setInterval(update, 2000);
await update();
process.send({ ready: true });
