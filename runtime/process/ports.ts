import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** The state column of /proc/net/tcp for a listening socket (TCP_LISTEN, linux/net/tcp_states.h). */
const LISTEN = '0A';

/** Listening sockets of this network namespace: inode → port. */
function listeningSockets(): Map<string, number> {
  const sockets = new Map<string, number>();
  for (const path of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      continue; // a kernel without IPv6
    }
    for (const line of text.split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      const port = local?.split(':')[1];
      if (state === LISTEN && port !== undefined && inode !== undefined)
        sockets.set(inode, Number.parseInt(port, 16));
    }
  }
  return sockets;
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // closed meanwhile
      }
    });
  } catch {
    return []; // gone, or another user's
  }
}

/** `lsof -Fpn` prints a line `pPID` and then one `nADDRESS:PORT` for each socket. */
function portsByLsof(pids: readonly number[]): Map<number, number[]> {
  const { stdout } = spawnSync('lsof', ['-nP', '-a', '-iTCP', '-sTCP:LISTEN', '-Fpn', '-p', pids.join(',')], {
    encoding: 'utf8',
  }) as { stdout: string | null };
  const ports = new Map<number, number[]>();
  let pid = 0;
  for (const line of (stdout ?? '').split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const port = /^n.*:(\d+)$/.exec(line)?.[1];
    if (port !== undefined) ports.set(pid, [...(ports.get(pid) ?? []), Number(port)]);
  }
  return ports;
}

const sortedUnique = (ports: readonly number[]): number[] => [...new Set(ports)].sort((a, b) => a - b);

/**
 * The TCP ports that processes listen on, by pid; a process without one is left out. Read from /proc on Linux, from
 * lsof(8) elsewhere, where it is installed. Processes of other users show none.
 */
export function listeningPorts(pids: readonly number[]): Map<number, number[]> {
  if (pids.length === 0) return new Map();
  if (process.platform !== 'linux')
    return new Map([...portsByLsof(pids)].map(([pid, ports]) => [pid, sortedUnique(ports)]));
  const sockets = listeningSockets();
  return new Map(
    pids
      .map((pid) => [pid, sortedUnique(socketsOf(pid).flatMap((inode) => sockets.get(inode) ?? []))] as const)
      .filter(([, ports]) => ports.length > 0),
  );
}
