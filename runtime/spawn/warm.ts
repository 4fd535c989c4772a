import { openLedger } from './ledger.ts';
import { registry } from './registry.ts';
import { ensureSupervisor } from './supervisor.ts';
import { beginSweep } from './sweep.ts';

/**
 * Starts the supervisor now and keeps it for the life of this thread (about 0.15 MB). fork(2) takes longer the larger the
 * heap is: 60 ms at 700 MB. Called early, the first spawnOwned() costs one fork instead of two. Without a call the
 * supervisor starts before the first owned child, and ends 30 s after the last.
 */
export function warm(): void {
  registry.supervisor.isKept = true;
  openLedger();
  ensureSupervisor();
  void beginSweep();
}
