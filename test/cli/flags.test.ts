import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UserError } from '../../runtime/cli/exit.ts';
import { parseFlags } from '../../runtime/cli/flags.ts';

const FLAGS = {
  write: { help: '' },
  format: { help: '', value: 'FORMAT', choices: ['json', 'stylish'] },
  only: { help: '', value: 'NAME', multiple: true },
  kind: { help: '', value: 'KIND', multiple: true, choices: ['x', 'y'] },
  wait: { help: '', value: 'SECONDS', number: true, short: 'w' },
} as const;

describe('parseFlags', () => {
  it('reads switches, values, numbers, repeats and positionals', () => {
    assert.deepEqual(
      parseFlags(FLAGS, [
        'src',
        '--write',
        '--format=json',
        '--only',
        'a',
        '--only',
        'b',
        '-w',
        '2.5',
        'test',
      ]),
      {
        values: { write: true, format: 'json', only: ['a', 'b'], wait: 2.5 },
        positionals: ['src', 'test'],
      },
    );
  });

  it('takes several choices at once, but no comma elsewhere', () => {
    assert.deepEqual(parseFlags(FLAGS, ['--kind', 'y,x', '--kind=x', '--only', 'a,b']).values, {
      kind: ['y', 'x', 'x'],
      only: ['a,b'],
    });
  });

  it('leaves everything after -- alone', () => {
    assert.deepEqual(parseFlags(FLAGS, ['--write', '--', 'node', '--format', 'x']), {
      values: { write: true },
      positionals: ['node', '--format', 'x'],
    });
  });

  const wrong: [string, string[], RegExp, string?][] = [
    [
      'an unknown flag, naming the nearest',
      ['--fromat', 'json'],
      /unknown flag --fromat/,
      'Did you mean --format?',
    ],
    ['an unknown flag that is like nothing', ['--zzzzzzz'], /unknown flag --zzzzzzz/],
    ['a name that every object has', ['--constructor'], /unknown flag --constructor/],
    ['a missing value at the end', ['--format'], /--format needs a value: --format FORMAT/],
    ['a flag where a value belongs', ['--format', '--write'], /--format needs a value/],
    ['a value outside the choices', ['--format', 'xml'], /--format takes json, stylish, not "xml"/],
    ['a value outside, beside one of them', ['--kind', 'x,z'], /--kind takes x, y, not "z"/],
    ['a number that is none', ['--wait', 'soon'], /--wait takes a number, not "soon"/],
    ['an empty number', ['--wait', ''], /--wait takes a number/],
    ['a value for a switch', ['--write=yes'], /--write takes no value/],
  ];
  for (const [what, argv, message, next] of wrong) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => parseFlags(FLAGS, argv),
        (error) => error instanceof UserError && message.test(error.message) && error.next === next,
      );
    });
  }
});
