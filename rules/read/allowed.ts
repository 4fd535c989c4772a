import type { TSESTree } from '@typescript-eslint/utils';
import type { AllowGroup, AllowKind } from '../apis/allow.ts';
import type { ModuleView } from './module-view.ts';
import { lastName } from './nodes.ts';
import type { SpawnSite } from './site.ts';
import { symbolAt } from './symbol-at.ts';

/** What a group may cover: a start of a process, or a blocking call. */
type Allowable = Pick<SpawnSite, 'name' | 'api'> & { call: TSESTree.Node } & Partial<Pick<SpawnSite, 'by'>>;

/** The sites that a group of the settings gives its reason for, each with the first such group. */
export function allowedSites<Site extends Allowable>(
  { filename }: ModuleView,
  sites: readonly Site[],
  settings: { allow?: readonly AllowGroup[] } | undefined,
  kind: AllowKind,
): Map<Site, AllowGroup> {
  const groups = (settings?.allow ?? []).filter((group) => (group.kind ?? kind) === kind);
  const found = new Map<Site, AllowGroup>();
  if (groups.length === 0) return found;
  const path = filename.replaceAll('\\', '/');
  const here = groups.filter((group) => group.from !== 'file' || globPattern(group.path).test(path));
  for (const site of sites) {
    const group = here.find((each) => covers(each, site));
    if (group) found.set(site, group);
  }
  return found;
}

/** Whether a site belongs to a group, whatever its file. */
function covers(group: AllowGroup, site: Allowable): boolean {
  if (group.name !== undefined && !isNamed(site, group.name)) return false;
  if (group.from !== 'package') return true;
  const [api, name] = [site.api, group.package.replace(/^node:/, '')].map((text) => text.toLowerCase());
  // `better-sqlite3 Statement.get` is of better-sqlite3 too.
  return (
    site.by !== 'shape' && (api === name || ['.', ' '].some((end) => api?.startsWith(`${name ?? ''}${end}`)))
  );
}

/** By what is called, or by the function around the call: `start`, or `Host.start`. */
function isNamed(site: Allowable, name: string): boolean {
  return lastName(site.name) === name || `.${symbolAt(site.call)}`.endsWith(`.${name}`);
}

const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/**
 * A glob as a pattern for the end of a path: an ESLint config and the commands may name a file from different folders.
 * `*` and `?` stay within a folder, `**` does not; a glob that ends in a slash means all below the folder.
 */
export function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/$/, '/**')
    .split(/(\*\*\/?|[*?])/)
    .map((part) => WILD[part] ?? part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`(?:^|/)${source.join('')}$`);
}
