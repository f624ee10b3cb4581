import type { Call } from '../../wire/call.ts';
import { illegalArgument } from './errors.ts';
import { limits } from './limits.ts';

/** A page of a list, by `start` and `count`, with links to its neighbors. */
export function page<Item>(call: Call, all: readonly Item[]) {
  const start = numberOf(call, 'start', 0);
  const count = numberOf(call, 'count', limits.page.default);
  if (count > limits.page.max) throw illegalArgument(`count has to be ${limits.page.max} at most`);
  const link = (rel: string, at: number) => ({ type: 'application/json', rel, href: hrefAt(call, at, count) });
  const links = [
    ...(start > 0 ? [link('prev', Math.max(0, start - count))] : []),
    ...(count > 0 && start + count < all.length ? [link('next', start + count)] : []),
  ];
  return { paging: { start, count, links, total: all.length }, elements: all.slice(start, start + count) };
}

function hrefAt({ path, query }: Call, start: number, count: number): string {
  const at = new URLSearchParams(query);
  at.set('start', String(start));
  at.set('count', String(count));
  return `${path}?${at.toString()}`;
}

function numberOf(call: Call, name: string, otherwise: number): number {
  const value = call.query.get(name);
  if (value === null) return otherwise;
  if (!/^\d{1,6}$/.test(value)) throw illegalArgument(`${name} has to be a number`);
  return Number(value);
}
