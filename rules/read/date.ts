/** Whether a text is a day of the calendar, written as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}
