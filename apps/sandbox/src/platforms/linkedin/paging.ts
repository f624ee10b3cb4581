import type { Call } from '../../wire/call.ts';
import { illegalArgument } from './errors.ts';

/** A part of a list, by `start` and `count`. */
export function page<Item>(call: Call, all: readonly Item[]) {
  const start = numberOf(call, 'start', 0);
  const count = numberOf(call, 'count', 10);
  if (count > 100) throw illegalArgument('count has to be 100 at most');
  return { paging: { start, count, links: [], total: all.length }, elements: all.slice(start, start + count) };
}

function numberOf(call: Call, name: string, otherwise: number): number {
  const value = call.query.get(name);
  if (value === null) return otherwise;
  if (!/^\d{1,6}$/.test(value)) throw illegalArgument(`${name} has to be a number`);
  return Number(value);
}
