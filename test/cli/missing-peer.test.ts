import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingPeer } from '../../runtime/cli/missing-peer.ts';

const notFound = (message: string, code = 'ERR_MODULE_NOT_FOUND'): Error =>
  Object.assign(new Error(message), { code });
const tell = (error: unknown): string[] => {
  const told = missingPeer(error, import.meta.dirname);
  return told ? [told.message, String(told.next)] : [];
};
const TYPESCRIPT = ['typescript is not installed here', 'Install it: npm install -D typescript@6.0'];

describe('a peer that the project does not have', () => {
  it('is named with the command that installs it, as Node and Yarn say it', () => {
    assert.deepEqual(
      tell(
        notFound("Cannot find package 'typescript' imported from /app/node_modules/x/dist/check/syntax.js"),
      ),
      TYPESCRIPT,
    );
    assert.deepEqual(tell(notFound("Cannot find module 'typescript'", 'MODULE_NOT_FOUND')), TYPESCRIPT);
    assert.deepEqual(
      tell(
        notFound(
          "eslint-plugin-owned-spawn tried to access typescript (a peer dependency) but it isn't provided by your application; this makes the require call ambiguous and unsound.",
          'MODULE_NOT_FOUND',
        ),
      ),
      TYPESCRIPT,
    );
    assert.deepEqual(tell(notFound("Cannot find package 'eslint' imported from /app/x.js")), [
      'eslint is not installed here',
      'Install it: npm install -D eslint@10',
    ]);
  });

  it('is nothing else: not a file of ours, not a package of theirs, not another error', () => {
    assert.deepEqual(tell(notFound("Cannot find module '/app/typescript/x.js' imported from /app/y.js")), []);
    assert.deepEqual(
      tell(notFound("Cannot find package 'left-pad' imported from /app/eslint.config.js")),
      [],
    );
    assert.deepEqual(tell(new Error("Cannot find package 'typescript'")), []);
  });
});
