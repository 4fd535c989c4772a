import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** The folders of the three packages. */
const FOLDERS = ['runtime', 'rules', 'codemods'];

export interface Registry {
  /** Where it listens, on loopback. */
  url: string;
  close: () => void;
}

/** Packs a folder's package and returns the tarball's path. */
export function pack(folder: string, into: string): string {
  const target = join(into, folder);
  mkdirSync(target);
  execFileSync('npm', ['pack', `./${folder}`, '--silent', '--pack-destination', target], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(target, readdirSync(target)[0] ?? '');
}

/** What a registry says about a package of which there is one version. */
function packument(folder: string, tarball: string, url: string): { name: string; body: string } {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const { name, version } = manifest;
  const content = readFileSync(tarball);
  const dist = {
    tarball: `${url}/-/${basename(tarball)}`,
    integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    shasum: createHash('sha1').update(content).digest('hex'),
  };
  // Old enough for managers that refuse what was published just now.
  const published = '2026-01-01T00:00:00.000Z';
  const body = JSON.stringify({
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    time: { created: published, modified: published, [version]: published },
  });
  return { name, body };
}

/**
 * Starts a registry that has the three packages, freshly packed, and sends clients on to the configured registry for
 * everything else: so the packages are installed by name, as users do, with any manager.
 */
export async function startRegistry(): Promise<Registry> {
  const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-registry-'));
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' })
    .trim()
    .replace(/\/$/, '');
  const answers = new Map<string, string | Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const answer = answers.get(path);
    if (answer !== undefined) response.end(answer);
    else response.writeHead(302, { location: upstream + (request.url ?? '/') }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const folder of FOLDERS) {
    const tarball = pack(folder, scratch);
    const { name, body } = packument(folder, tarball, url);
    answers.set(`/${name}`, body);
    answers.set(`/-/${basename(tarball)}`, readFileSync(tarball));
  }
  return {
    url,
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
