/** What a test's connections need: a function of SQL. */
interface Raw {
  function(name: string, body: (...args: never[]) => unknown): void;
}

export default function setup(db: Raw): void {
  db.function('twice', (n: number) => n * 2);
}
