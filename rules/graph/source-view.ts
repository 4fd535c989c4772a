import { createRequire } from 'node:module';
import type * as scopes from '@typescript-eslint/scope-manager';
import type * as estree from '@typescript-eslint/typescript-estree';
import type { SourceFile } from 'typescript';
import { linkParents, parseModule, type ModuleView } from '../read/module-view.ts';
import { compiler, type Compiler } from './compiler.ts';

const require = createRequire(import.meta.url);

/** Texts without it hold no marker that excuses a blocking call. */
const MARKER = /blocking|sync-?io/i;

/**
 * The view of a file of a program, with comments only where they may matter; undefined for one that does not parse: it
 * calls nothing, and who lints it says so.
 *
 * @param ts the compiler that made the program
 */
export function sourceView(ts: Compiler, source: SourceFile): ModuleView | undefined {
  // Comments and tokens that are made of the program's own tree stay in memory for as long as that does.
  const isOwn = ts === compiler() && !MARKER.test(source.text);
  return (isOwn ? converted(source) : undefined) ?? parsed(source);
}

/** A fifth of the work of parsing anew, for the tree is there, and neither tokens nor the globals of a platform matter. */
function converted(source: SourceFile): ModuleView | undefined {
  const { parseAndGenerateServices } = require('@typescript-eslint/typescript-estree') as typeof estree;
  const { analyze } = require('@typescript-eslint/scope-manager') as typeof scopes;
  const { fileName: filename, text } = source;
  try {
    const settings = { range: true, loc: true, loggerFn: false, preserveNodeMaps: false } as const;
    const { ast } = parseAndGenerateServices(source, settings);
    linkParents(ast);
    const scopeManager = analyze(ast, { lib: [], sourceType: 'module' });
    return {
      filename,
      text,
      ast,
      comments: [],
      scopeManager,
    };
  } catch {
    return undefined;
  }
}

function parsed({ text, fileName }: SourceFile): ModuleView | undefined {
  try {
    return parseModule(text, fileName);
  } catch {
    return undefined;
  }
}
