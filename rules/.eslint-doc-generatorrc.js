// The headers of docs/rules/*.md and the table of rules in README.md: `npm run docs` writes them.
import { format, resolveConfig } from 'prettier';

/** @type {import('eslint-doc-generator').GenerateOptions} */
export default {
  pathRuleDoc: '../docs/rules/{name}.md',
  pathRuleList: ['../README.md'],
  ruleDocTitleFormat: 'name',
  ruleDocSectionInclude: ['Incorrect', 'Correct', 'Known limits', 'When not to use it'],
  configEmoji: [
    ['recommended', '✅'],
    ['recommended-type-checked', '☑️'],
    ['strict', '🔒'],
  ],
  postprocess: async (content, path) =>
    format(content, { ...(await resolveConfig(path)), parser: 'markdown' }),
};
