import { BEARER_OR_OAUTH, bearerOf } from '../../wire/bearer-of.ts';
import type { Call } from '../../wire/call.ts';
import { invalidParameter } from './errors.ts';
import { integer, text, type Params } from './params.ts';

/** Parameters of a call that returns a page of an edge. */
export const paging = ['fields', 'limit', 'after'];
/** The same, for an edge that can be filtered by time. */
export const timedPaging = [...paging, 'since', 'until'];

const defaultLimit = 25;
const maxLimit = 100;

/** A page of an edge: `{data, paging:{cursors, next?}}`; the next link is a complete URL with the same parameters. */
export function pageOf<T>(call: Call, params: Params, rows: T[], idOf: (row: T) => string, render: (row: T) => unknown) {
  const limit = Math.min(integer(params, 'limit') ?? defaultLimit, maxLimit);
  if (limit < 0) throw invalidParameter('Param limit must be a positive integer');
  const after = text(params, 'after');
  const start = after ? rows.findIndex((row) => cursor(idOf(row)) === after) + 1 : 0;
  if (after && start === 0) throw invalidParameter('Invalid cursors values');
  const page = rows.slice(start, start + limit);
  const last = page.at(-1);
  if (page.length === 0 || !last) return { data: [] };
  const end = cursor(idOf(last));
  return {
    data: page.map(render),
    paging: {
      cursors: { before: cursor(idOf(page[0]!)), after: end },
      ...(start + limit < rows.length && { next: nextUrl(call, params, end) }),
    },
  };
}

function nextUrl(call: Call, params: Params, after: string): string {
  const url = new URL(`https://${call.host}${call.path}`);
  for (const [name, value] of Object.entries(params))
    if (name !== 'appsecret_proof' && name !== 'after') url.searchParams.set(name, String(value));
  const header = bearerOf(call, BEARER_OR_OAUTH);
  if (header) url.searchParams.set('access_token', header);
  url.searchParams.set('after', after);
  return url.href;
}

const cursor = (id: string) => Buffer.from(id).toString('base64url');

/** `since` and `until`: Unix seconds or a date. Milliseconds since 1970. */
export function timeWindow(params: Params): (createdAt: string) => boolean {
  const since = moment(params, 'since') ?? -Infinity;
  const until = moment(params, 'until') ?? Infinity;
  return (createdAt) => {
    const seconds = Math.floor(Date.parse(createdAt) / 1000);
    return seconds * 1000 >= since && seconds * 1000 <= until;
  };
}

function moment(params: Params, name: string): number | undefined {
  const value = text(params, name);
  if (!value) return undefined;
  const time = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value);
  if (Number.isNaN(time)) throw invalidParameter(`Param ${name} must be a unix timestamp or a date`);
  return Math.floor(time / 1000) * 1000;
}

/** `2026-07-17T08:00:00+0000`, as the Graph API writes times. */
export function graphTime(iso: string): string {
  return iso.replace(/\.\d+Z$/, '+0000');
}
