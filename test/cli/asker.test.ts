import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { asker } from '../../runtime/cli/asker.ts';

function terminal(): { input: PassThrough; output: PassThrough; shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.setEncoding('utf8').on('data', (part: string) => (text += part));
  return { input, output, shown: () => text };
}

describe('asker', () => {
  const asking = (
    signal = new AbortController().signal,
  ): ReturnType<typeof terminal> & { ask: ReturnType<typeof asker> } => {
    const its = terminal();
    return {
      ...its,
      ask: asker(
        its.input as unknown as NodeJS.ReadStream,
        its.output as unknown as NodeJS.WriteStream,
        signal,
      ),
    };
  };

  it('shows the question and gives the answer, one after another', async () => {
    const { ask, input, shown } = asking();
    const first = ask('Shall I? ');
    input.write('yes\n');
    assert.equal(await first, 'yes');
    const second = ask('And this? ');
    input.write('\n');
    assert.equal(await second, '');
    assert.match(shown(), /Shall I\? [^]*And this\? /);
  });

  it('gives nothing at the end of the input, and when it is interrupted', async () => {
    const ended = asking();
    const answer = ended.ask('Shall I? ');
    ended.input.end();
    assert.equal(await answer, undefined);
    const controller = new AbortController();
    const open = asking(controller.signal);
    const other = open.ask('Shall I? ');
    controller.abort();
    assert.equal(await other, undefined);
  });
});
