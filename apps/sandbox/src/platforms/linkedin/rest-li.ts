import type { Call } from '../../wire/call.ts';
import { illegalArgument, reject } from './errors.ts';
import { limits } from './limits.ts';

/** Rest.li 2.0: parentheses, commas and colons are structure where they are plain, and text where they are percent-encoded. */
function sentValue({ search }: Call, name: string): string | undefined {
  const prefix = `${name}=`;
  return search
    .slice(1)
    .split('&')
    .find((one) => one.startsWith(prefix))
    ?.slice(prefix.length);
}

/** @throws Rejection unless the parameter is a URN, percent-encoded */
export function urnIn(call: Call, name: string): string {
  const sent = sentValue(call, name);
  if (!sent) throw reject(400, 'MISSING_FIELD', `Query parameter '${name}' is required`);
  return urnOf(sent, name);
}

/** The items of `List(a,b)`; undefined if the parameter is absent. */
export function listIn(call: Call, name: string): string[] | undefined {
  const sent = sentValue(call, name);
  if (sent === undefined) return undefined;
  const items = /^List\(([^()]*)\)$/.exec(sent)?.[1]?.split(',').filter(Boolean) ?? [];
  if (items.length === 0) throw illegalArgument(`Invalid query parameters passed to request: ${name} has to be List(…)`);
  if (items.length > limits.batch) throw illegalArgument(`${name} can contain at most ${limits.batch} items`);
  return items;
}

export function urnOf(sent: string, name: string): string {
  const urn = /^urn%3Ali%3A/i.test(sent) && !sent.includes(':') ? decoded(sent) : undefined;
  if (urn === undefined) throw illegalArgument(`Invalid query parameters passed to request: ${name} must contain URNs, percent-encoded`);
  return urn;
}

export interface Intervals {
  /** Milliseconds since 1970; `end` is excluded. */
  readonly start: number;
  readonly end: number;
  /** Without one the whole range is counted at once. */
  readonly isDaily: boolean;
}

/** `(timeRange:(start:1,end:2),timeGranularityType:DAY)` */
export function intervalsIn(call: Call): Intervals | undefined {
  const sent = sentValue(call, 'timeIntervals');
  if (sent === undefined) return undefined;
  const found = /^\(timeRange:\(start:(\d{1,15}),end:(\d{1,15})\)(?:,timeGranularityType:([A-Z]+))?\)$/.exec(sent);
  if (!found) throw illegalArgument('Invalid query parameters passed to request: timeIntervals');
  const [, start, end, granularity] = found;
  if (granularity !== undefined && granularity !== 'DAY')
    throw illegalArgument(`timeGranularityType ${granularity} is not supported by the sandbox`);
  if (Number(end) <= Number(start)) throw illegalArgument('The end of timeRange has to be after its start');
  return { start: Number(start), end: Number(end), isDaily: granularity !== undefined };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
