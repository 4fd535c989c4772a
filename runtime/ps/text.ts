const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
];

/** An age in the two largest units that it has: `3d 4h`, `59s`. */
export function ageText(seconds: number): string {
  const parts = UNITS.reduce<{ left: number; text: string[] }>(
    ({ left, text }, [size, unit]) => ({
      left: left % size,
      text: left >= size || text.length > 0 ? [...text, `${Math.floor(left / size)}${unit}`] : text,
    }),
    { left: seconds, text: [] },
  );
  return [...parts.text, `${parts.left}s`].slice(0, 2).join(' ');
}

/** Kilobytes as people read them: `812 kB`, `42 MB`. */
export function memoryText(kb: number): string {
  if (kb < 1024) return `${kb} kB`;
  const mb = kb / 1024;
  return mb < 1024 ? `${Math.round(mb)} MB` : `${(mb / 1024).toFixed(1)} GB`;
}
