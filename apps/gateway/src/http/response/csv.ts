import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';

/** A table: the names of its columns, then its rows. */
export type CsvTable = readonly [readonly string[], ...(readonly (readonly CsvCell[])[])];
type CsvCell = string | number | null;

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Whether the caller prefers CSV; without an Accept header JSON is meant. */
export const wantsCsv = (request: Request): boolean => request.accepts(['json', 'text/csv']) === 'text/csv';

/** RFC 4180. Texts that a spreadsheet would take for a formula are preceded by an apostrophe, so that posts of strangers calculate nothing. */
export const toCsv = (table: CsvTable): string =>
  stringify(table as unknown as CsvCell[][], { escape_formulas: true, record_delimiter: 'windows' });
