/** Modules whose functions tests like to replace, by what an API's name begins with. */
const DOUBLED: readonly (readonly [api: RegExp, module: string])[] = [
  [/^(fs|graceful-fs|fs-extra)\./, '(?:node:)?(?:fs|graceful-fs|fs-extra)'],
  [/^child_process\./, '(?:node:)?child_process'],
];

/**
 * Whether a test file replaces the module of a blocking call, or a function of it, by a double: `vi.mock('node:fs')`,
 * `jest.spyOn(fs, 'readFileSync')`, `mock.method(fs, …)`, `sinon.stub(fs)`. The asynchronous form comes from elsewhere.
 *
 * @param api the blocking call, as `fs.readFileSync`
 */
export function hasTestDouble(text: string, api: string): boolean {
  const module = DOUBLED.find(([pattern]) => pattern.test(api))?.[1];
  if (module === undefined) return false;
  const whole = `\\b(?:mock|doMock|unstable_mockModule|module|proxyquire|mockModule)\\(\\s*['"\`]${module}['"\`]`;
  const member = `\\b(?:spyOn|method|stub|replace|mocked)\\(\\s*[\\w$.]+\\s*,\\s*['"\`]${api.split('.').at(-1) ?? ''}['"\`]`;
  return new RegExp(`${whole}|${member}`).test(text);
}
