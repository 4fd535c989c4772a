const HIDDEN = '***';
/** Names of flags, variables, headers and fields whose value is nobody's business. */
const NAME =
  '[\\w.-]*(?:pass(?:word|wd|phrase|code)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|credentials?|auth(?:orization)?|cookie|session[_-]?id|bearer|dsn)';
/** What a value is: quoted, or up to the next space or separator. */
const VALUE = `("(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s"'&;,]+)`;

/** Texts within a word (a command line for a shell, a URL, an assignment), and what becomes of them. */
const PATTERNS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // scheme://user:password@host
  [/([a-z][\w+.-]*:\/\/)[^\s/@]+@/gi, `$1${HIDDEN}@`],
  [/\b(Bearer|Basic|Digest|Token)\s+[^\s"'&;,]+/gi, `$1 ${HIDDEN}`],
  [new RegExp(`\\b(${NAME})(["']?\\s*[=:]\\s*)(?!\\*)${VALUE}`, 'gi'), `$1$2${HIDDEN}`],
  [new RegExp(`(--?${NAME}\\s+)(?!-)${VALUE}`, 'gi'), `$1${HIDDEN}`],
  // Tokens that say by their form what they are: GitHub, GitLab, npm, Slack, AWS, Google, Stripe and its likes, JSON Web Tokens.
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|xox[a-z]-|AKIA|ASIA|AIza|sk[-_]|pk_live_|rk_live_|ey[JK][\w-]+\.)[\w.-]{8,}/g,
    HIDDEN,
  ],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN],
];
/** A flag that takes the secret as the next word. */
const FLAG = new RegExp(`^--?${NAME}$`, 'i');
/** An `-u user:password` of curl(1) and wget(1). */
const USER = /^(-u|--user|--proxy-user|-U)$/;
const LONGEST_WORD = 300;
const MOST_WORDS = 50;

/** A command line without what looks like a secret, and cut to a few kilobytes: for files that outlive the process. */
export function redact(words: readonly string[]): string[] {
  const shown = words.slice(0, MOST_WORDS).map((word, at) => {
    const before = words[at - 1] ?? '';
    if (FLAG.test(before) && !word.startsWith('-')) return HIDDEN;
    if (USER.test(before) && word.includes(':')) return HIDDEN;
    // Cut first: the patterns need not read a megabyte of script. A secret cut in two would show its first half.
    const text = PATTERNS.reduce(
      (text, [pattern, replacement]) => text.replace(pattern, replacement),
      word.slice(0, 4 * LONGEST_WORD),
    );
    return text.length > LONGEST_WORD ? `${text.slice(0, LONGEST_WORD)}…` : text;
  });
  return words.length > MOST_WORDS ? [...shown, '…'] : shown;
}
