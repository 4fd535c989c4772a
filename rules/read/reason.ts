/** What keeps a text from being a reason. */
export type ReasonFault = 'noReason' | 'placeholder';

/** Openings that promise a reason for later, whatever follows. */
const PROMISES = /^(?:todo|fixme|tbd|tba|xxx|hack|lorem)(?![\p{L}\p{N}])/iu;

/** Words that say nothing, alone or together: fillers, the marker's own words, and the words of our own examples. */
const FILLERS = new Set(
  [
    'n a na none nothing reason why because here write add fill in ok okay yes no fine allowed intended',
    'detached spawn blocking call marker it must outlive its owner may block this the a is needed',
    'ipsum dolor sit amet foo bar baz qux test asdf abc x y z',
  ].flatMap((words) => words.split(' ')),
);

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text in any script: Chinese and Thai put no blanks between them. */
export function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)]
    .filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment))
    .map(({ segment }) => segment);
}

/** Whether a text is no reason at all, or stands in for one. */
export function reasonFault(text: string): ReasonFault | undefined {
  if (!/\p{L}/u.test(text)) return 'noReason';
  if (PROMISES.test(text)) return 'placeholder';
  return wordsOf(text).every((word) => FILLERS.has(word.toLowerCase())) ? 'placeholder' : undefined;
}
