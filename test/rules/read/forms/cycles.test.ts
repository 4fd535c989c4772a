import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportedLines } from './pairs.ts';

it('comes to an end where code goes round in circles', () => {
  const code = `
import { spawn } from 'node:child_process';
class A extends B { go() { this.run('x', this.options); spawn('a', this.options); A.start('x', A.options); } }
class B extends A { go() { spawn('a', [], this.options); } }
class C extends C { go() { spawn('a', this.o.p.q); } }
const a = a[0];
const b = c[0], c = b.slice(1);
spawn(a, b.slice(2));
spawn(...b);
spawn(...arguments);
for (const x of x) spawn(x.y, x.z);
const list = [list, ...list];
list.map((each) => spawn(each, each.o));
Object.values(Object.values(list)).map((o) => spawn('a', o));
function g(o) { return spawn('a', g(o)); }
g({ cwd: '/' });`;
  assert.deepEqual(reportedLines(code, 'a.ts'), []);
});
