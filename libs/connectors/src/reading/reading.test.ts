import fc from 'fast-check';
import { PlatformFailure } from '../calls/failure.ts';
import { daysAfter, daysIn, daysOf, splitDays } from './day-range.ts';
import { countAt, ratioOf, sumOf, sumOfKnown } from './statistics.ts';
import { readMetrics } from './read-metrics.ts';
import { sharesOf } from './shares.ts';

const ranges = fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 1_500 })).map(([first, length]) => {
  const start = daysAfter('1970-01-01', first);
  return { start, end: daysAfter(start, length) };
});

describe('a range of days', () => {
  it('is split into parts that cover it, none of them too long', () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: 1, max: 400 }), (range, most) => {
        const parts = splitDays(range, most);
        expect(parts.flatMap(daysOf)).toEqual(daysOf(range));
        expect(parts.every((part) => daysIn(part) >= 1 && daysIn(part) <= most)).toBe(true);
        expect(parts).toHaveLength(Math.ceil(daysIn(range) / most));
      }),
    );
  });

  it('knows the calendar', () => {
    expect(daysAfter('2028-02-28', 1)).toBe('2028-02-29');
    expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01');
    expect(daysIn({ start: '2026-03-01', end: '2026-03-31' })).toBe(31);
  });
});

describe('statistics', () => {
  it.each([
    [0, 0],
    ['0', 0],
    ['12', 12],
    ['1.5', 1.5],
    [7, 7],
    [undefined, null],
    [null, null],
    ['', null],
    ['many', null],
    ['1e3', null],
    [-1, null],
    [Number.NaN, null],
    [{ value: 1 }, null],
    [[1], null],
    [true, null],
  ])('%j is %j', (value, expected) => {
    expect(countAt({ value }, 'value')).toBe(expected);
  });

  it('are unknown, not zero, if a part is unknown', () => {
    expect(sumOf([])).toBeNull();
    expect(sumOf([1, null])).toBeNull();
    expect(sumOf([0, 0])).toBe(0);
    expect(sumOfKnown([1, null, 2])).toBe(3);
    expect(sumOfKnown([null])).toBeNull();
    expect(ratioOf(1, 0)).toBeNull();
    expect(ratioOf(3, 2)).toBe(1);
  });
});

describe('shares', () => {
  const buckets = fc.uniqueArray(fc.tuple(fc.string(), fc.integer({ min: 0, max: 1_000_000 })), { selector: ([name]) => name });

  it('are relative to the returned counts, and add up to one', () => {
    fc.assert(
      fc.property(buckets, (counts) => {
        const shares = sharesOf(counts);
        const sum = counts.reduce((total, [, count]) => total + count, 0);
        if (sum === 0) return expect(shares).toBeNull();
        const total = Object.values(shares ?? {}).reduce((one, other) => one + other, 0);
        expect(Math.abs(total - 1)).toBeLessThanOrEqual(0.0001 * counts.length);
        expect(Object.values(shares ?? {}).every((share) => share >= 0 && share <= 1)).toBe(true);
      }),
    );
  });

  it('leave out buckets without a count', () => {
    expect(sharesOf([['DE', 3] as const, ['FR', null] as const, ['DE', 1] as const])).toEqual({ DE: 1 });
  });
});

describe('metrics that are read together', () => {
  const refusal = (message: string) => new PlatformFailure('validation', message, { effect: 'refused' });
  const known = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  /** A platform that rejects a call with a name that it does not know. */
  const platform = (words: (names: readonly string[]) => string) => {
    const calls: string[][] = [];
    const read = async (names: readonly string[]) => {
      calls.push([...names]);
      if (names.some((name) => !known.has(name))) throw refusal(words(names));
      return new Map(names.map((name) => [name, known.get(name) ?? 0]));
    };
    return { calls, read };
  };

  it('are read in one call', async () => {
    const { calls, read } = platform(() => '');
    expect([...(await readMetrics(['a', 'b'], read)).found]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(calls).toEqual([['a', 'b']]);
  });

  it('leave out the one that the platform rejects', async () => {
    const { calls, read } = platform((names) => `metric[${names.indexOf('gone')}] is unknown`);
    const { found, rejected } = await readMetrics(
      ['a', 'gone', 'c'],
      read,
      ({ message }, names) => names[Number(/\d+/.exec(message)?.[0])],
    );
    expect([...found.keys()]).toEqual(['a', 'c']);
    expect([...rejected]).toEqual([['gone', 'metric[1] is unknown']]);
    expect(calls).toHaveLength(2);
  });

  it.each(['(#100) since must be within the last two years.', 'A page access token is required', 'No metric was specified to be fetched.'])(
    'are not called missing when a failure is about something else: %s',
    async (words) => {
      const read = async () => Promise.reject(refusal(words));
      await expect(readMetrics(['a', 'b'], read)).rejects.toThrow(words);
    },
  );

  it('are read one by one if the platform does not name the rejected one', async () => {
    const { read } = platform(() => 'invalid');
    const { found, rejected } = await readMetrics(['a', 'gone', 'b', 'dead'], read);
    expect([[...found.keys()], [...rejected.keys()]]).toEqual([
      ['a', 'b'],
      ['gone', 'dead'],
    ]);
  });

  it('throw failures of another kind', async () => {
    const read = () => Promise.reject(new PlatformFailure('token_expired', 'Expired', { effect: 'refused' }));
    await expect(readMetrics(['a'], read)).rejects.toMatchObject({ class: 'token_expired' });
  });

  it('need no call if none is wanted', async () => {
    const { calls, read } = platform(() => '');
    expect((await readMetrics([], read)).found.size).toBe(0);
    expect(calls).toEqual([]);
  });
});
