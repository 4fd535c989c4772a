import { spawn } from 'node:child_process';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../programs/audit-export.js');

export function startAuditExport() {
  // detached-spawn: ok — a started export must be finished, also when the gateway dies
  const job = spawn(process.execPath, [script], { detached: true, stdio: 'ignore' });
  job.unref();
}
