const told = new Set<string>();

/** Tells something on standard error, once in a process. */
export function noteOnce(text: string): void {
  if (told.has(text)) return;
  told.add(text);
  process.emitWarning(text, { type: 'OwnedSpawn' });
}
