import type { Report } from './reports.ts';

/** The findings as a JSON array, for programs. */
export const json: Report = ({ findings }) => `${JSON.stringify(findings, null, 2)}\n`;
