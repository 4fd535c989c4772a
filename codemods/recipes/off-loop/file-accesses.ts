import {
  isFunction,
  isInside,
  walk,
  type BlockingSite,
  type Declared,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { spanOf } from './modules.ts';
import { pathKey } from './path-key.ts';
import { sqliteAccess } from './sqlite-accesses.ts';
import type { SurveyedSite } from './survey.ts';

/** A look at a file, a copy of it, or a change, by one of the calls that move. */
export interface Access {
  kind: 'probe' | 'read' | 'copy' | 'write' | 'harmless';
  key: string;
  site: SurveyedSite;
  /** Where it happens in the function that is looked at: the call itself, or one that leads to it. */
  at: Declared;
  /** The access that a call leads to, and the function that it enters. */
  led?: { to: Access; in: Declared };
}

const PROBE = /\.(exists|access|stat|lstat|pathExists)Sync$/;
/** Done twice it is done once, and to nobody's contents. */
const METADATA = /\.(l|f)?(chmod|chown|utimes)Sync$/;
/** Done by another meanwhile, it fails, and nothing is lost. */
const ONCE = /\.(unlink|rmdir|rm|mkdir)Sync$/;
const REMOVE = /\.(unlink|rm|rmdir|remove)Sync$/;
const MOVE = /\.(rename|copyFile|copy|move|link|symlink|cp)Sync$/;
/** Of these the program never sees the contents. */
const COPY = /\.(copyFile|copy|cp)Sync$/;
const READ = /\.(readFile|readdir|readlink|readJson|readJSON|realpath)Sync$/;

/** What a blocking call does to files whose paths are told apart. */
export function accessOf(each: SurveyedSite): Access[] {
  const { module, site } = each;
  const at = spanOf(module, site.call);
  const database = sqliteAccess(each);
  if (database) return database.kinds.map((kind) => ({ kind, key: database.key, site: each, at }));
  if (
    site.call.type !== 'CallExpression' ||
    !/^(fs|fs-extra|graceful-fs|mz\/fs|jsonfile|atomically)\./.test(site.api)
  )
    return [];
  const [path, second] = site.call.arguments;
  const make = (kind: Access['kind'], of: TSESTree.Node | undefined): Access => ({
    kind,
    key: pathKey(module, of),
    site: each,
    at,
  });
  if (PROBE.test(site.api)) return [make('probe', path)];
  if (READ.test(site.api)) return [make('read', path)];
  if (MOVE.test(site.api)) return [make(COPY.test(site.api) ? 'copy' : 'read', path), make('write', second)];
  return [make(isHarmless(module, site) ? 'harmless' : 'write', path)];
}

/** Whether what others do to a file between two accesses would be lost, or seen in halves. */
export function isLost(first: Access, second: Access): boolean {
  const { api } = second.site.site;
  switch (first.kind) {
    case 'write':
      // What is put in a file's place must be what was written to it.
      return second.kind === 'copy' || (second.kind === 'read' && MOVE.test(api));
    case 'read':
      // What was written to a file since it was read goes with it; a folder that is not empty any more stays.
      return REMOVE.test(api) ? !first.site.site.api.endsWith('.readdirSync') : second.kind === 'write';
    case 'probe':
      return second.kind === 'write' && !mayFail(second);
    default:
      return false;
  }
}

/** Whether a change that fails where another was faster is expected to fail. */
const mayFail = ({ site: { site } }: Access): boolean => ONCE.test(site.api) && isCaught(site.call);

function isCaught(node: TSESTree.Node): boolean {
  for (let at: TSESTree.Node | undefined = node; at && !isFunction(at); at = at.parent)
    if (at.type === 'TryStatement' && at.handler && isInside(node, at.block))
      return !hasThrow(at.handler.body);
  return false;
}

function hasThrow(body: TSESTree.BlockStatement): boolean {
  let count = 0;
  walk(body, ({ type }) => {
    if (type === 'ThrowStatement') count++;
  });
  return count > 0;
}

/** `chmod`, `mkdir` of what is there already, `rm` of what is not. */
function isHarmless({ view }: LoopModule, { call, api }: BlockingSite): boolean {
  const text = view.text.slice(...call.range);
  return (
    METADATA.test(api) ||
    (/\b(mkdir|rm)Sync\b/.test(text) && /\b(recursive|force)\s*:\s*true/.test(text)) ||
    /\b(ensure|mkdirp|remove)\w*Sync\b/.test(text)
  );
}
