import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TSESTree } from '@typescript-eslint/utils';
import { format } from 'prettier';
import { bindMarkers, readMarkers, type Marker } from '../../rules/read/markers.ts';
import { parseModule, type ModuleView } from '../../rules/read/module-view.ts';

interface Site {
  call: TSESTree.CallExpression;
  cause: TSESTree.Node | undefined;
}

/** Every call of `spawn`, with the property `detached` that it holds, or that the constant `o` holds. */
function sitesOf(view: ModuleView): Site[] {
  const nodes = nodesBelow(view.ast);
  const textOf = (node: TSESTree.Node): string => view.text.slice(...node.range);
  const calls = nodes
    .filter((node) => node.type === 'CallExpression')
    .filter(({ callee }) => textOf(callee) === 'spawn');
  const properties = nodes
    .filter((node) => node.type === 'Property')
    .filter(({ key }) => textOf(key) === 'detached');
  const isIn = (inner: TSESTree.Node, outer: TSESTree.Node): boolean =>
    outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
  return calls
    .sort((a, b) => a.range[0] - b.range[0])
    .map((call) => ({
      call,
      cause:
        properties.find((property) => isIn(property, call)) ??
        (textOf(call).endsWith(', o)') ? properties[0] : undefined),
    }));
}

function nodesBelow(node: TSESTree.Node): TSESTree.Node[] {
  const children = Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === 'parent' ? [] : [value].flat().filter((child): child is TSESTree.Node => isNode(child)),
  );
  return [node, ...children.flatMap(nodesBelow)];
}

function isNode(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && 'range' in value;
}

/** Each marker's line → the first arguments of the calls that it binds to. */
function bound(text: string, filename = 'file.tsx'): Record<number, string> {
  const view = parseModule(text, filename);
  const all = bindMarkers(view, readMarkers(view), sitesOf(view));
  return Object.fromEntries(
    [...all].map(([marker, sites]) => [
      lineOf(text, marker.start),
      sites.map(({ call }) => (call.arguments[0] as TSESTree.StringLiteral).value).join(' '),
    ]),
  );
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function read(comment: string): Marker {
  const [marker] = readMarkers(parseModule(comment, 'file.ts'));
  assert.ok(marker, comment);
  return marker;
}

const input = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../cases/inputs', name), 'utf8');

describe('readMarkers', () => {
  const reasons: Record<string, string> = {
    '// detached-spawn: ok — it outlives the window': 'it outlives the window',
    '// detached-spawn: ok – it outlives the window': 'it outlives the window',
    '// detached-spawn: ok -- it outlives the window': 'it outlives the window',
    '// detached-spawn: ok --- it outlives the window': 'it outlives the window',
    '// detached-spawn: ok - it outlives the window': 'it outlives the window',
    '// detached-spawn: ok : it outlives the window': 'it outlives the window',
    '// detached-spawn: ok: it outlives the window': 'it outlives the window',
    '//detached-spawn:ok—it outlives the window': 'it outlives the window',
    '//   Detached-Spawn :  OK  —  it outlives the window  ': 'it outlives the window',
    '/* detached-spawn: ok — it outlives the window */': 'it outlives the window',
    '/** detached-spawn: ok — it outlives the window */': 'it outlives the window',
    '/*\n * Starts it.\n * detached-spawn: ok — it outlives\n *   the window\n *\n * More.\n */':
      'it outlives the window',
    '/**\r\n * detached-spawn: ok — it outlives\r\n * the window\r\n * @see it\r\n */':
      'it outlives the window',
    '// detached-spawn: ok — it outlives\n// the window': 'it outlives the window',
    '// detached-spawn: ok — it outlives it\n// eslint-disable-next-line x': 'it outlives it',
    '// detached-spawn: ok — it outlives it\n\n// the window': 'it outlives it',
    '// detached-spawn: ok — it outlives it\n  // the window': 'it outlives it',
    'a(); // detached-spawn: ok — it outlives it\nb(); // the window': 'it outlives it',
    '// detached-spawn: ok — вживає після перезапуску': 'вживає після перезапуску',
    '// detached-spawn: ok — 它必须在重启后存活': '它必须在重启后存活',
    '// detached-spawn: ok — the marker `detached-spawn: ok` is meant':
      'the marker `detached-spawn: ok` is meant',
  };
  for (const [comment, reason] of Object.entries(reasons)) {
    it(`reads the reason of ${JSON.stringify(comment)}`, () => {
      const marker = read(comment);
      assert.deepEqual([marker.kind, marker.reason, marker.fault], ['detached-spawn', reason, undefined]);
    });
  }

  const faults: Record<string, Marker['fault']> = {
    '// detached-spawn: ok': 'noReason',
    '// detached-spawn: ok —': 'noReason',
    '// detached-spawn: ok — .': 'noReason',
    '// detached-spawn: ok — 123 !': 'noReason',
    '// detached-spawn: ok — for-rollout:': 'noReason',
    '// detached-spawn: ok [until=2030-01-01]': 'noReason',
    '// detached-spawn: ok —\n// starts the server': 'noReason',
    '// detached-spawn: ok — TODO': 'placeholder',
    '// detached-spawn: ok — TODO: why it must outlive its owner': 'placeholder',
    '// detached-spawn: ok — fixme later on': 'placeholder',
    '// detached-spawn: ok — TBD': 'placeholder',
    '// detached-spawn: ok — ok': 'placeholder',
    '// detached-spawn: ok — detached-spawn: ok': 'placeholder',
    '// detached-spawn: ok — why it must outlive its owner': 'placeholder',
    '// detached-spawn: ok — lorem ipsum dolor sit': 'placeholder',
    '// detached-spawn: ok — TODO\n// starts the server': 'placeholder',
    '// detached-spawn: ok because it outlives the window': 'noSeparator',
    '// detached-spawn: ok, it outlives the window': 'noSeparator',
    '// detached-spawn: ok (it outlives the window)': 'noSeparator',
    '// detached spawn: ok — it outlives the window': 'misspelt',
    '// detached spawn ok': 'misspelt',
    '// detatched-spawn: ok — it outlives the window': 'misspelt',
    '// detached_spawn: OK — it outlives the window': 'misspelt',
    '// detachedSpawn: ok — it outlives the window': 'misspelt',
    '// spawn-detached: ok — it outlives the window': 'misspelt',
    '// detached-spawn: okay — it outlives the window': 'misspelt',
    '// detached-spawn = ok — it outlives the window': 'misspelt',
    '// detached-spawn: allowed — it outlives the window': 'misspelt',
    '// no-detached-spawn: ok — it outlives the window': 'misspelt',
    '// owned-spawn/no-detached-spawn: ok — it outlives the window': 'misspelt',
    '// detached: ok — it outlives the window': 'misspelt',
    '// @detached-spawn: ok — it outlives the window': 'misspelt',
    '// not detached-spawn: ok — negated': 'unclear',
    '// NOTE: detached-spawn: ok — behind other words': 'unclear',
    '// detached-spawn: it outlives the window': 'unclear',
  };
  for (const [comment, fault] of Object.entries(faults)) {
    it(`finds the fault ${String(fault)} in ${JSON.stringify(comment)}`, () => {
      assert.equal(read(comment).fault, fault);
    });
  }

  const others = [
    '// starts a detached spawn, which is fine',
    '// Detached spawns are ok here',
    '// write `detached-spawn: ok — why` above the call',
    '// "detached-spawn: ok — why"',
    '// // detached-spawn: ok — code that is commented out',
    '// blocking calls are allowed at start-up',
    '// detached',
    '// spawn ok',
    'const text = "// detached-spawn: ok — in a string";',
    'const text = `\n// detached-spawn: ok — in a template\n`;',
    'const pattern = /[/]/; const more = "/* detached-spawn: ok — in a string */";',
  ];
  for (const text of others) {
    it(`takes no marker from ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readMarkers(parseModule(text, 'file.ts')), []);
    });
  }

  it('reads what a marker says beside its reason', () => {
    const { reason, until, ref, rollout, fault } = read(
      '// detached-spawn: ok — for-rollout: it outlives the window [until=2030-01-31 ref=#12]',
    );
    assert.deepEqual(
      { reason, until, ref, rollout, fault },
      { reason: 'it outlives the window', until: '2030-01-31', ref: '#12', rollout: true, fault: undefined },
    );
    const first = read('// detached-spawn: ok [ref=#12] — it outlives the window');
    assert.deepEqual(
      [first.reason, first.until, first.ref, first.fault],
      ['it outlives the window', undefined, '#12', undefined],
    );
  });

  it('tells the kinds apart', () => {
    assert.equal(read('// blocking-call: ok — read once at start').kind, 'blocking-call');
    assert.equal(read('// blokcing-call: ok — read once at start').kind, 'blocking-call');
    assert.equal(read('// Blocking-Call: OK — read once at start').kind, 'blocking-call');
  });

  it('says where the marker stands in the file', () => {
    const text = '/**\n * Starts it.\n * detached-spawn: ok — it outlives\n * the window\n */\nspawn();\n';
    const [marker] = readMarkers(parseModule(text, 'file.ts'));
    assert.equal(text.slice(marker?.start, marker?.end), 'detached-spawn: ok — it outlives\n * the window');
    assert.equal(text.slice(marker?.reasonStart, marker?.end), 'it outlives\n * the window');
  });
});

describe('bindMarkers', () => {
  it('case mk-01: binds before and after Prettier has moved the comments', () => {
    assert.deepEqual(bound(input('mk-01/before-prettier.ts')), {
      2: 'updater',
      3: 'updater',
      6: 'viewer',
      7: 'display',
      8: 'x',
    });
    assert.deepEqual(bound(input('mk-01/after-prettier.ts')), {
      6: 'updater',
      8: 'updater',
      13: '',
      14: 'display',
      20: 'x',
    });
  });

  it('case mk-02: binds to the statement below, the line, the property, and nothing else', () => {
    assert.deepEqual(bound(input('mk-02/positions.ts')), {
      3: 'display',
      6: '',
      14: 'updater',
      17: 'one two',
      22: 'five',
      25: '',
    });
  });

  it('case mk-03: binds each marker to the call on its line', () => {
    const lines = bound(input('mk-03/reasons.ts'));
    assert.deepEqual(Object.values(lines).join(''), 'abcdefghijklmn');
  });

  it('case mk-05: binds to the helper and not to the tool beside it', () => {
    const view = parseModule(input('mk-05/handoff.mjs'), 'handoff.mjs');
    const [sites] = bindMarkers(view, readMarkers(view), sitesOf(view)).values();
    assert.deepEqual(
      sites?.map(({ call }) => call.loc.start.line),
      [5],
    );
  });

  const MARK = '// detached-spawn: ok — it outlives the window';
  const BLOCK = '/* detached-spawn: ok — it outlives the window */';
  const places: Record<string, string> = {
    'a comment of several lines above': `// First.\n${MARK}\n// Last.\nspawn('a');`,
    'above a block comment': `${MARK}\n/* more */\nspawn('a');`,
    'a block comment before the statement': `${BLOCK} spawn('a');`,
    'a block comment before the callee': `const child = ${BLOCK} spawn('a');`,
    'a block comment behind': `spawn('a'); ${BLOCK}`,
    'in the chain': `spawn('a')\n  .on('error', report)\n  ${MARK}\n  // More.\n  .unref();`,
    'above an await': `${MARK}\nawait spawn('a');`,
    'above a return': `function f() {\n  ${MARK}\n  return spawn('a');\n}`,
    'above an assignment': `${MARK}\nthis.child = spawn('a');`,
    'above a concise arrow': `${MARK}\nexport const f = () =>\n  spawn('a');`,
    'above an exported constant': `${MARK}\nexport const child = spawn('a');`,
    'above a default export': `${MARK}\nexport default spawn('a');`,
    'above a chain': `${MARK}\nconst child = spawn('a')\n  .on('exit', f)\n  .unref();`,
    'behind a chain': `const child = spawn('a', {})\n  .on('exit', f)\n  .unref(); ${MARK}`,
    'behind a call of several lines': `run(\n  spawn('a', {}),\n); ${MARK}`,
    'behind the comma of an element': `const all = [\n  spawn('a'), ${MARK}\n  spawn('b'),\n];`,
    'above an element': `const all = [\n  spawn('b'),\n  ${MARK}\n  spawn('a'),\n];`,
    'above a property with the call': `const all = {\n  b: spawn('b'),\n  ${MARK}\n  a: spawn('a'),\n};`,
    'above an argument': `const child = spawn(\n  'a',\n  [],\n  ${MARK}\n  { detached: true },\n);`,
    'behind an opening brace': `spawn('a', [], { ${MARK}\n  detached: true,\n});`,
    'above another property': `spawn('a', [], {\n  ${MARK}\n  stdio: 'ignore',\n  detached: true,\n});`,
    'behind the option': `spawn('a', [], {\n  detached: true, ${MARK}\n});`,
    'behind the options of a constant': `const o = { detached: true }; ${MARK}\nf();\nspawn('a', [], o);`,
    'inside the options of a constant': `const o = {\n  ${MARK}\n  detached: true,\n};\nf();\nspawn('a', [], o);`,
    'above the options of a constant': `${MARK}\nconst o = { detached: true };\nf();\nspawn('a', [], o);`,
    'above an if without braces': `${MARK}\nif (c)\n  spawn('a');\nelse spawn('b');`,
    'above a loop without braces': `${MARK}\nfor (const x of y)\n  spawn('a');`,
    'above a ternary branch': `const child = c\n  ${MARK}\n  ? spawn('a')\n  : spawn('b');`,
    'above a logical operand': `const child =\n  c ||\n  ${MARK}\n  spawn('a');`,
    'above a case': `switch (x) {\n  case 1:\n    ${MARK}\n    spawn('a');\n}`,
    'above a class field': `class C {\n  ${MARK}\n  child = spawn('a');\n}`,
    'above a static field': `class C {\n  ${MARK}\n  static child = spawn('a');\n}`,
    'above a decorated field': `class C {\n  ${MARK}\n  @observe()\n  child = spawn('a');\n}`,
    'below a decorator': `class C {\n  @observe()\n  ${MARK}\n  child = spawn('a');\n}`,
    'in a decorated method': `class C {\n  @post()\n  start() {\n    ${MARK}\n    return spawn('a');\n  }\n}`,
    'in a static block': `class C {\n  static {\n    ${MARK}\n    spawn('a');\n  }\n}`,
    'above a JSX attribute': `const b = (\n  <button\n    ${MARK}\n    onClick={() => spawn('a')}\n  />\n);`,
    'behind a JSX attribute': `const b = (\n  <button\n    onClick={() => spawn('a')} ${MARK}\n  />\n);`,
    'above a JSX element': `const b = (\n  <p>\n    {${BLOCK}}\n    <button\n      onClick={() => spawn('a')}\n    />\n  </p>\n);`,
    'in a JSX handler': `const b = (\n  <button\n    onClick={() => {\n      ${MARK}\n      spawn('a');\n    }}\n  />\n);`,
    'above a TypeScript wrapper': `${MARK}\nconst child = <X>(spawn('a') as Y)!;`,
    'above a label': `${MARK}\nx: spawn('a');`,
    'above a parameter default': `function f(\n  ${MARK}\n  child = spawn('a'),\n) {}`,
    'in a nested callback of an outer call': `spawn('b', () => {\n  f();\n  ${MARK}\n  spawn('a');\n});`,
    'in the last line of the file': `f();\nspawn('a'); ${MARK}`,
    'with CRLF line ends': `f();\r\n${MARK}\r\nconst child = spawn('a');\r\n`,
    'with tabs': `{\n\t${MARK}\n\tspawn('a');\n}`,
  };
  for (const [place, text] of Object.entries(places)) {
    it(`binds ${place}`, () => {
      const file = text.includes('<X>') ? 'file.ts' : 'file.tsx';
      assert.deepEqual(Object.values(bound(text, file)), ['a']);
    });
  }

  const tooFar: Record<string, string> = {
    'over a blank line': `${MARK}\n\nspawn('a');`,
    'over a blank line between comments': `${MARK}\n\n// More.\nspawn('a');`,
    'above the function around it': `${MARK}\nfunction f() {\n  spawn('a');\n}`,
    'above the method around it': `class C {\n  ${MARK}\n  f() {\n    spawn('a');\n  }\n}`,
    'above the class around it': `${MARK}\nclass C {\n  child = spawn('a');\n}`,
    'above the arrow with a body around it': `${MARK}\nconst f = () => {\n  spawn('a');\n};`,
    'above the block around it': `${MARK}\nif (c) {\n  spawn('a');\n}`,
    'above the try around it': `${MARK}\ntry {\n  spawn('a');\n} catch {}`,
    'above the else branch': `if (c) f();\n${MARK}\nelse {\n  spawn('a');\n}`,
    'behind the function around it': `function f() {\n  spawn('a');\n} ${MARK}`,
    'behind the block around it': `if (c) {\n  spawn('a');\n} ${MARK}`,
    'behind the line above': `f(); ${MARK}\nspawn('a');`,
    'below the call': `spawn('a');\n${MARK}`,
    'above another statement': `${MARK}\nf();\nspawn('a');`,
    'in a callback of the call': `spawn('a', () => {\n  f();\n  ${MARK}\n  g();\n});`,
    'above an import': `${MARK}\nimport { spawn } from 'node:child_process';\nspawn('a');`,
    'at the end of the file': `spawn('a');\n\n${MARK}\n`,
  };
  for (const [place, text] of Object.entries(tooFar)) {
    it(`does not bind ${place}`, () => {
      assert.deepEqual(Object.values(bound(text)), ['']);
    });
  }

  it('binds the same after Prettier, but behind the brace of a function', async () => {
    for (const [place, text] of Object.entries(places)) {
      if (text.includes('\r')) continue;
      const parser = text.includes('<X>') ? 'typescript' : 'babel-ts';
      const long = text.replaceAll(
        "spawn('a'",
        "spawn('a', ['a-long-argument', 'and-another-long-argument']",
      );
      const moved = await format(long, { parser, singleQuote: true, printWidth: 80 });
      const file = text.includes('<X>') ? 'file.ts' : 'file.tsx';
      assert.deepEqual(Object.values(bound(moved, file)), ['a'], `${place}:\n${moved}`);
    }
  });
});
