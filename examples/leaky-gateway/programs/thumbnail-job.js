// Looks for new pictures now and then.
import { readdir } from 'node:fs/promises';

setInterval(async () => {
  const names = await readdir('.');
  names.filter((name) => name.endsWith('.png')).forEach((name) => void name);
}, 1000);
