import type { Rule } from 'eslint';
import plugin from '../../index.ts';
import type { ListedException } from '../exceptions.ts';
import type { ExceptionReport } from './exception-reports.ts';

/** The exceptions as suppressed results of a SARIF 2.1.0 log. */
export const exceptionSarif: ExceptionReport = (exceptions) => {
  const ids = [...new Set(exceptions.flatMap(({ rules }) => rules.slice(0, 1)))].sort();
  const run = {
    tool: { driver: { name: 'owned-spawn', version: plugin.meta?.version, rules: ids.map(ruleOf) } },
    columnKind: 'utf16CodeUnits',
    results: exceptions.map(resultOf),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
};

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

function ruleOf(id: string): unknown {
  const rules: Record<string, Rule.RuleModule | undefined> = plugin.rules;
  const text = rules[id.replace('owned-spawn/', '')]?.meta?.docs?.description;
  return text === undefined ? { id } : { id, shortDescription: { text } };
}

function resultOf(exception: ListedException): unknown {
  const { kind, rules, file, line, column, callee, reason, rollout, until, ref, since } = exception;
  return {
    ruleId: rules[0],
    level: 'note',
    message: {
      text: `${callee === null ? 'This' : `\`${callee}\``} is excused: ${reason || 'no reason given'}`,
    },
    locations: [
      {
        physicalLocation: {
          // A path is a URI once what has a meaning there is escaped.
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
          region: { startLine: line, startColumn: column },
        },
      },
    ],
    suppressions: [{ kind: kind === 'allow' ? 'external' : 'inSource', justification: reason }],
    properties: { kind, rules, rollout, until, ref, since },
  };
}
