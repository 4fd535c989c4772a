import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import { runtimeEdit, packageJsonOf } from '../../codemods/plan/package-json.ts';
import { Project } from './project.ts';

/** The text with the dependency, or undefined where it needs none. */
function added(text: string): string | undefined {
  const edit = runtimeEdit(text, '^1.0.0');
  return edit && applyEdits(text, [edit]);
}

describe('runtimeEdit', () => {
  const cases: Record<string, [before: string, after: string]> = {
    'between sorted names': [
      '{\n  "dependencies": {\n    "a": "1",\n    "z": "1"\n  }\n}\n',
      '{\n  "dependencies": {\n    "a": "1",\n    "owned-spawn": "^1.0.0",\n    "z": "1"\n  }\n}\n',
    ],
    'at the end of sorted names, CRLF and tabs': [
      '{\r\n\t"dependencies": {\r\n\t\t"a": "1"\r\n\t}\r\n}',
      '{\r\n\t"dependencies": {\r\n\t\t"a": "1",\r\n\t\t"owned-spawn": "^1.0.0"\r\n\t}\r\n}',
    ],
    'at the end of names in no order': [
      '{\n  "dependencies": {\n    "z": "1",\n    "a": "1"\n  }\n}\n',
      '{\n  "dependencies": {\n    "z": "1",\n    "a": "1",\n    "owned-spawn": "^1.0.0"\n  }\n}\n',
    ],
    'before other dependencies': [
      '{\n    "name": "x",\n    "devDependencies": {}\n}\n',
      '{\n    "name": "x",\n    "dependencies": {\n        "owned-spawn": "^1.0.0"\n    },\n    "devDependencies": {}\n}\n',
    ],
    'at the end of a package without any': [
      '{\n  "name": "x"\n}\n',
      '{\n  "name": "x",\n  "dependencies": {\n    "owned-spawn": "^1.0.0"\n  }\n}\n',
    ],
    'into empty dependencies': [
      '{\n  "dependencies": {}\n}\n',
      '{\n  "dependencies": {\n    "owned-spawn": "^1.0.0"\n  }\n}\n',
    ],
    'on one line': [
      '{"name":"x","dependencies":{"a":"1"}}',
      '{"name":"x","dependencies":{"a":"1","owned-spawn": "^1.0.0"}}',
    ],
    'into an empty object': ['{}', '{"dependencies": {"owned-spawn": "^1.0.0"}}'],
  };
  for (const [name, [before, after]] of Object.entries(cases)) {
    it(name, () => {
      assert.equal(added(before), after);
      assert.equal(
        (JSON.parse(after) as { dependencies: Record<string, string> }).dependencies['owned-spawn'],
        '^1.0.0',
      );
      assert.equal(added(after), undefined);
    });
  }

  it('leaves packages that have it, and the runtime itself', () => {
    assert.equal(added('{ "devDependencies": { "owned-spawn": "*" } }'), undefined);
    assert.equal(added('{ "peerDependencies": { "owned-spawn": "*" } }'), undefined);
    assert.equal(added('{ "name": "owned-spawn" }'), undefined);
  });

  it('refuses what is no JSON object', () => {
    for (const text of ['', '[]', '{ "a": 1, }', 'null', '1']) assert.throws(() => added(text), SyntaxError);
  });
});

describe('packageJsonOf', () => {
  it('passes over one that only says how to load', () => {
    using project = new Project({
      'package.json': '{}',
      'app/package.json': '{ "name": "app" }',
      'app/dist/package.json': '{ "type": "commonjs" }',
    });
    const expected = join(project.folder, 'app', 'package.json');
    assert.equal(packageJsonOf(join(project.folder, 'app', 'dist', 'x.js')), expected);
  });
});
