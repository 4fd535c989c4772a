import { createServer } from 'node:net';

/** The wanted port if nobody has it, else one that is free. */
export function freePort(wanted = 0) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      if (error.code === 'EADDRINUSE' && wanted !== 0) resolve(freePort());
      else reject(error);
    });
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
