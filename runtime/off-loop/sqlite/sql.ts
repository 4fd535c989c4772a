/** Comments and space before the first word. */
const LEAD = String.raw`^(?:\s|--[^\n]*(?:\n|$)|/\*[^]*?\*/)*`;
const READS = new RegExp(`${LEAD}(?:select|values|explain|with)\\b`, 'i');
/** In a statement that begins with WITH, or functions that answer for one connection. */
const NEEDS_WRITER =
  /\b(?:insert|update|delete|replace)\b|\b(?:last_insert_rowid|changes|total_changes|load_extension)\s*\(|\btemp\s*\./i;

const BEGINS = new RegExp(`${LEAD}begin\\b[^;]*;?\\s*$`, 'i');
const ENDS = new RegExp(
  `${LEAD}(?:commit|end|rollback(?!\\s+(?:transaction\\s+)?to\\b))\\b[^;]*;?\\s*$`,
  'i',
);

/** Whether a statement may run on a connection that only reads. When in doubt no: the writer can do everything. */
export const isRead = (sql: string): boolean => READS.test(sql) && !NEEDS_WRITER.test(sql);

/** A statement that opens a transaction and does nothing else. */
export const isBegin = (sql: string): boolean => BEGINS.test(sql);

/** A statement that ends one: not ROLLBACK TO. */
export const isEnd = (sql: string): boolean => ENDS.test(sql);

/** Pragmas that the file keeps, or that do something once: https://www.sqlite.org/pragma.html */
const ONCE =
  /^(?:journal_mode|user_version|application_id|auto_vacuum|page_size|encoding|incremental_vacuum|wal_checkpoint|optimize|schema_version|integrity_check|quick_check|foreign_key_check|shrink_memory|rekey|query_only)\b/i;

/** Statements in a script that every connection has to repeat: pragmas that are set, and attached files. */
export function replayed(script: string): string[] {
  const found = script.matchAll(/(?:^|;)\s*((?:pragma|attach|detach)\b[^;]*)/gi);
  return [...found]
    .map(([, sql = '']) => sql.trim())
    .filter((sql) => {
      const pragma = /^pragma\s+(?:\w+\s*\.\s*)?(\w+)\s*(=|\()?/i.exec(sql);
      return (
        !pragma ||
        (pragma[2] !== undefined &&
          !/^(?:table|index|foreign_key_list|function_list)/i.test(pragma[1] ?? '') &&
          !ONCE.test(pragma[1] ?? ''))
      );
    });
}

/** Whether a script makes what only its own connection sees, so that there can be no other one. */
export const isPrivate = (script: string): boolean =>
  /\bcreate\s+temp(?:orary)?\b|\blocking_mode\s*[=(]\s*exclusive|\battach\s+(?:database\s+)?(?:''|':memory:'|"")/i.test(
    script,
  );

/** Whether a script may change between WAL and a rollback journal. */
const touchesJournal = (script: string): boolean => /\bjournal_mode\b/i.test(script);

/** All of the above of one script. */
export interface SqlKind {
  reads: boolean;
  begins: boolean;
  ends: boolean;
  replays: string[];
  isPrivate: boolean;
  touchesJournal: boolean;
}

const known = new Map<string, SqlKind>();
const MAX_KNOWN = 1000;

/** What a script does; looked at once, as a program has few and runs them often. */
export function kindOf(sql: string): SqlKind {
  const found = known.get(sql);
  if (found) return found;
  const kind = {
    reads: isRead(sql),
    begins: isBegin(sql),
    ends: isEnd(sql),
    replays: replayed(sql),
    isPrivate: isPrivate(sql),
    touchesJournal: touchesJournal(sql),
  };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(sql, kind);
  return kind;
}
