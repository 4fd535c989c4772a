import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a local HTTP server answers. */
export async function answers(url) {
  for (let tries = 0; tries < 300; tries++) {
    try {
      return await fetch(url);
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`${url} does not answer`);
}
