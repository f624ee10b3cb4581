import { invalidRequest } from './errors.ts';
import type { XCall } from './x-operation.ts';

/** A time in the query, in whole seconds; null if the parameter is absent. @throws Rejection */
export function moment(call: XCall, name: string): number | null {
  const value = call.query.get(name);
  if (value === null) return null;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) || Number.isNaN(Date.parse(value)))
    throw invalidRequest(`The \`${name}\` query parameter value [${value}] is not a valid RFC 3339 date`);
  return Math.floor(Date.parse(value) / 1000) * 1000;
}
