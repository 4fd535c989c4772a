import type { Rule } from 'eslint';
import plugin from '../../index.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** What we write of a SARIF result; the rest is optional and goes into it as it is. */
export interface SarifResult {
  ruleId: string;
  [property: string]: unknown;
}

/** Where something stands; lines and columns count from 1. */
interface Region {
  startLine: number;
  startColumn: number;
  endLine?: number;
  endColumn?: number;
}

/** A SARIF 2.1.0 log of one run, with the rules that its results name. */
export function sarifLog(results: readonly SarifResult[]): string {
  const ids = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  const run = {
    tool: { driver: { name: 'owned-spawn', version: plugin.meta?.version, rules: ids.map(ruleOf) } },
    columnKind: 'utf16CodeUnits',
    results,
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

/** @param text what there is to see; a finding's own place needs none */
export function sarifLocation(file: string, region: Region, text?: string): object {
  return {
    physicalLocation: {
      // A path is a URI once what has a meaning there is escaped.
      artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
      region,
    },
    ...(text === undefined ? {} : { message: { text } }),
  };
}

function ruleOf(id: string): unknown {
  const rules: Record<string, Rule.RuleModule | undefined> = plugin.rules;
  const text = rules[id.replace('owned-spawn/', '')]?.meta?.docs?.description;
  return text === undefined ? { id } : { id, shortDescription: { text } };
}
