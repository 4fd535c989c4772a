import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { familyName } from '../../runtime/prove/family-name.ts';

describe('familyName', () => {
  const cases: [words: string[], name: string][] = [
    [['/usr/bin/chromium', '--headless', 'about:blank'], 'chromium'],
    [['/usr/bin/node', '--import', 'tsx', '/app/src/worker.ts'], 'node worker.ts'],
    [['node', '-e', 'setInterval(() => {}, 9)'], 'node setInterval(() => {}, 9)'],
    [['node'], 'node'],
    [['/bin/sh', '-c', 'node   server.js\n  --port 1'], 'sh node server.js --port 1'],
    [['/bin/sh', '-c', 'x'.repeat(60)], `sh ${'x'.repeat(28)}…`],
    [['sh', '-c', 'the script', 'owned-spawn', '4711'], 'owned-spawn supervisor'],
    [['python3.11', '-m', 'http.server'], 'python3.11 http.server'],
    [['/opt/my app/run', 'now'], 'run'],
    [['postgres: writer process'], 'postgres'],
    [['/usr/lib/chromium/chromium --type=renderer --lang=de'], 'chromium'],
    [[], 'fallback'],
  ];
  for (const [words, name] of cases) {
    it(name, () => {
      assert.equal(familyName(words, 'fallback'), name);
    });
  }
});
