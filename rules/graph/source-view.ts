import type { SourceFile } from 'typescript';
import { parseModule, scopesOf, treeOf, type ModuleView } from '../read/module-view.ts';
import { compiler, type Compiler } from './compiler.ts';
import { identifiersOf } from './holders.ts';

/**
 * The view of a file of a program; undefined for one that does not parse: it calls nothing, and who lints it says so.
 *
 * @param ts the compiler that made the program
 */
export function sourceView(ts: Compiler, source: SourceFile): ModuleView | undefined {
  // Only modules wait at their top level: elsewhere TypeScript may take `await` for a name.
  const isOwn = ts === compiler() && !identifiersOf(source).has('await');
  return (isOwn ? converted(source) : undefined) ?? parsed(source);
}

/** A fifth of the work of parsing anew, for the tree is there. */
function converted(source: SourceFile): ModuleView | undefined {
  const { fileName: filename, text } = source;
  try {
    const ast = treeOf(source);
    let scopes: ModuleView['scopeManager'] | undefined;
    let comments: ModuleView['comments'] | undefined;
    return {
      filename,
      text,
      ast,
      get scopeManager() {
        return (scopes ??= scopesOf(ast, filename));
      },
      // Few ask for them, and those that are made of the program's own tree stay in memory for as long as that does.
      get comments() {
        return (comments ??= parsed(source)?.comments ?? []);
      },
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
