import type { Report } from './reports.ts';

/** The findings as workflow commands, which GitHub Actions turns into annotations of lines. */
export const github: Report = ({ findings }) =>
  findings
    .map(({ severity, file, line, column, message, ruleId }) => {
      const level = severity === 2 ? 'error' : 'warning';
      const text = ruleId === null ? message : `${message} (${ruleId})`;
      return `::${level} file=${property(file)},line=${line},col=${column}::${data(text)}\n`;
    })
    .join('');

/** As the runner reads it back: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
