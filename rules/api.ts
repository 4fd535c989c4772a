export { NOW_METHODS, PROMISE_METHODS } from './apis/handlers.ts';
export type { Callbacks } from './apis/loop-rows.ts';
export type { LoopSettings } from './apis/loop-table.ts';
export { loopTable } from './apis/loop-table.ts';
export { bare, type SpawnSettings } from './apis/tables.ts';
export { concerns } from './check/concerns.ts';
export { baseOf, isScript, shownPath, sourceFiles, type SourceFile } from './check/files.ts';
export { isMinified } from './check/minified.ts';
export { collectGarbage, growSlowly } from './check/garbage.ts';
export { programOf } from './check/program.ts';
export { forcedConfig, settingsFinder } from './check/settings.ts';
export { sarifLocation, sarifLog } from './check/report/sarif-log.ts';
export { looksBroken } from './check/syntax.ts';
export { dependencyEdit, type Dependency } from './edits/dependency.ts';
export { coloured, unifiedDiff } from './edits/diff.ts';
export {
  asyncBodyEdits,
  asyncFunctionEdits,
  nextBodyEdits,
  isPromiseType,
  mayBePromise,
  maybePromiseEdits,
  promiseTypeEdits,
} from './edits/async-function.ts';
export {
  awaitEdits,
  awaitPlace,
  awaitTarget,
  joinEdits,
  wrapEdits,
  type NoAwait,
  type WrappingEdit,
} from './edits/await.ts';
export { applyEdits, hasOverlap, sortedEdits, type Edit } from './edits/edit.ts';
export { facadeNameEdits, type FacadeUse } from './edits/facade-names.ts';
export { forOfEdits } from './edits/for-of.ts';
export { eolNear, indentOf, lineStart } from './edits/lines.ts';
export { commentAbove, markerSkeletonEdits } from './edits/marker.ts';
export { sourceOf } from './edits/module-source.ts';
export { ownSpawns, type OwnMode } from './edits/own-spawn.ts';
export type { EditResult, NoteCode, ReasonCode } from './edits/reasons.ts';
export { twinCallEdits, twinCallOf, type NoTwin, type TwinCall } from './edits/twin-call.ts';
export { twinNameEdits } from './edits/twin-names.ts';
export { aliasesOf, defaultName } from './graph/aliases.ts';
export { compiler, type Compiler } from './graph/compiler.ts';
export { handledModules } from './graph/handles.ts';
export { importsOf, type Imports } from './graph/imports.ts';
export { cutOf } from './graph/module-reach.ts';
export { references, type NameUse, type References } from './graph/references.ts';
export type { Declared } from './graph/resolve.ts';
export { sourceView } from './graph/source-view.ts';
export { allowedSites, globPattern } from './read/allowed.ts';
export { findBlocking, type BlockingSite } from './read/blocking.ts';
export { namesOf } from './read/callers.ts';
export { contextOf, contextOnceAsync } from './read/context.ts';
export { directiveAt } from './read/directives.ts';
export { offFile } from './read/file-role.ts';
export { intentOf, type Intent } from './read/intent.ts';
export { childrenOf } from './read/children-of.ts';
export { loopModule, type LoopModule } from './read/loop-module.ts';
export { isRepeated } from './read/loops.ts';
export { bindMarkers, readMarkers, type Marker } from './read/markers.ts';
export { constantText, walk } from './read/module-index.ts';
export { parseModule, viewOf, type ModuleSyntaxError, type ModuleView } from './read/module-view.ts';
export {
  bareExpression,
  calleeOf,
  functionAround,
  isClass,
  isFunction,
  isInside,
  lastName,
  literalText,
  type CallNode,
  type FunctionNode,
} from './read/nodes.ts';
export { rolesOf } from './read/roles.ts';
export type { KnownBy, Origin, SpawnForm, SpawnSite, Verdict } from './read/site.ts';
export { findSpawns } from './read/spawns.ts';
export { statementText } from './read/sqlite.ts';
export { summaryOf } from './read/summary.ts';
export { symbolAt } from './read/symbol-at.ts';
export { withoutModifiers } from './read/test-runner.ts';
