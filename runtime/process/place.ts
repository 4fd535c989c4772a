import { readFileSync, readlinkSync } from 'node:fs';

/** Where pids mean something: in one pid namespace of one boot. Both empty where there is no /proc. */
export interface Place {
  boot: string;
  pidNamespace: string;
}

const readOr = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return '';
  }
};

let known: Place | undefined;

/** The place of this process; see random(4) for the boot id and pid_namespaces(7). */
export const place = (): Place =>
  (known ??= {
    boot: readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    pidNamespace: readOr(() => readlinkSync('/proc/self/ns/pid')),
  });

/** Whether pids of that place are those that we see. Not known, not the same. */
export const isHere = ({ boot, pidNamespace }: Place): boolean =>
  boot !== '' && pidNamespace !== '' && boot === place().boot && pidNamespace === place().pidNamespace;
