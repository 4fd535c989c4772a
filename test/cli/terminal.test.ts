import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { table, terminal } from '../../runtime/cli/terminal.ts';

function sink(isTTY: boolean): { isTTY: boolean; columns: number; text: string; write(text: string): void } {
  return {
    isTTY,
    columns: 20,
    text: '',
    write(text) {
      this.text += text;
    },
  };
}

describe('terminal', () => {
  const colours: [string, boolean, NodeJS.ProcessEnv, boolean][] = [
    ['a terminal', true, {}, true],
    ['a pipe', false, {}, false],
    ['a terminal under NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ['a pipe under FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['a terminal under FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
  ];
  for (const [what, isTTY, env, expected] of colours) {
    it(`${expected ? 'colours' : 'does not colour'} ${what}`, () => {
      const to = sink(isTTY);
      const out = terminal(to, env);
      out.line(out.red('x'));
      assert.equal(to.text, expected ? '\u001b[31mx\u001b[39m\n' : 'x\n');
    });
  }

  it('shows progress on one line of a terminal and clears it before a result', () => {
    const to = sink(true);
    const out = terminal(to, { NO_COLOR: '1' });
    out.progress('a text longer than the line is');
    out.line('done');
    assert.equal(to.text, 'a text longer than \r\u001b[2Kdone\n');
  });

  for (const [what, isTTY, env] of [
    ['a pipe', false, {}],
    ['CI', true, { CI: 'true' }],
  ] as const) {
    it(`shows no progress in ${what}`, () => {
      const to = sink(isTTY);
      terminal(to, env).progress('working');
      assert.equal(to.text, '');
    });
  }
});

describe('table', () => {
  it('aligns columns, numbers to the right, escape codes without width', () => {
    assert.deepEqual(
      table(
        [
          ['name', 'n'],
          ['\u001b[31mab\u001b[39m', '10'],
          ['abcdef', '7'],
        ],
        [1],
      ),
      ['name     n', '\u001b[31mab\u001b[39m      10', 'abcdef   7'],
    );
  });
});
