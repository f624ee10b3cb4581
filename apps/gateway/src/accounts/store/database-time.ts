import { isDate } from 'node:util/types';
import { clockSkewMs, currentMs } from '@fanfare/runtime';

/**
 * An adapter of better-auth that uses the database's time. The library writes and compares times by this process's clock, but a session or link of one
 * gateway is checked by another. So times that the library passes are translated to the database's time, and times that it reads are translated back.
 * @param adapter its methods accept and return times anywhere in plain objects and arrays
 */
export function onDatabaseTime<A extends object>(adapter: A): A {
  return new Proxy(adapter, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      if (name === 'transaction') {
        return (work: (inside: object) => unknown) => (value as Method).call(target, (inside: object) => work(onDatabaseTime(inside)));
      }
      return (...given: unknown[]) => {
        const skewMs = clockSkewMs();
        const result = (value as Method).apply(target, moveTimes(given, -skewMs) as unknown[]);
        return result instanceof Promise ? result.then((found: unknown) => moveTimes(found, skewMs)) : result;
      };
    },
  });
}

/** This process's own time in milliseconds since 1970, in which better-auth passes times. */
export const libraryMs = (): number => currentMs() + clockSkewMs();

type Method = (...given: unknown[]) => unknown;

function moveTimes(value: unknown, byMs: number): unknown {
  if (isDate(value)) return new Date(value.getTime() + byMs);
  if (Array.isArray(value)) return value.map((one) => moveTimes(one, byMs));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moveTimes(one, byMs)]));
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
