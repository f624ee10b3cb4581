import fc from 'fast-check';
import { PlatformFailure } from '../calls/failure.ts';
import { daysAfter, daysIn, daysOf, endOfDay, splitDays, startOfDay } from './day-range.ts';
import { countAt, ratioOf, sumOf, sumOfKnown } from './statistics.ts';
import { namedIn, notProvided, readMetrics, type Suspects } from './read-metrics.ts';
import { readPartly } from './read-partly.ts';
import { readParts } from './read-parts.ts';
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

const rejection = (message: string) => new PlatformFailure('validation', message, { effect: 'rejected' });

describe('metrics that are read together', () => {
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
      if (names.some((name) => !known.has(name))) throw rejection(words(names));
      return new Map(names.map((name) => [name, known.get(name) ?? 0]));
    };
    return { calls, read };
  };
  const unnamed: Suspects = ({ message }, names) => (message === 'invalid metric' ? names : namedIn(message, names));

  it('are read in one call', async () => {
    const { calls, read } = platform(() => '');
    expect([...(await readMetrics(['a', 'b'], read, unnamed)).found]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(calls).toEqual([['a', 'b']]);
  });

  it('leave out the one that the platform rejects', async () => {
    const { calls, read } = platform(() => 'gone is unknown');
    const { found, rejected } = await readMetrics(['a', 'gone', 'c'], read, unnamed);
    expect([...found.keys()]).toEqual(['a', 'c']);
    expect([...rejected]).toEqual([['gone', 'gone is unknown']]);
    expect(calls).toHaveLength(2);
  });

  it.each([['a', 'gone'], ['gone']])('are not called missing when a failure is about something else: %s', async (...names) => {
    const { read } = platform(() => 'since must be within the last two years.');
    await expect(readMetrics(names, read, unnamed)).rejects.toThrow('since must be');
  });

  it('are read one by one if the platform does not name the rejected one', async () => {
    const { read } = platform(() => 'invalid metric');
    const { found, rejected } = await readMetrics(['a', 'gone', 'b', 'dead'], read, unnamed);
    expect([[...found.keys()], [...rejected.keys()]]).toEqual([
      ['a', 'b'],
      ['gone', 'dead'],
    ]);
  });

  it('throw failures of another kind', async () => {
    const read = () => Promise.reject(new PlatformFailure('token_expired', 'a', { effect: 'rejected' }));
    await expect(readMetrics(['a'], read, unnamed)).rejects.toMatchObject({ class: 'token_expired' });
  });

  it('need no call if none is wanted', async () => {
    const { calls, read } = platform(() => '');
    expect((await readMetrics([], read, unnamed)).found.size).toBe(0);
    expect(calls).toEqual([]);
  });
});

test('a text names a metric by the whole word', () => {
  expect(namedIn('Unknown identifier (averageViews) given in field parameters.views.', ['views', 'averageViews'])).toEqual([
    'averageViews',
  ]);
});

describe('a range that is read in parts', () => {
  const range = { start: '2026-01-01', end: '2026-01-25' };
  const found = (names: readonly string[], value: string) => new Map(names.map((name) => [name, value]));

  it('is returned oldest part first', async () => {
    const read = await readParts(range, 10, ['a'], async ({ start }, names) => ({ found: found(names, start), rejected: new Map() }));
    expect(read.found.get('a')).toEqual(['2026-01-01', '2026-01-11', '2026-01-21']);
    expect(read.missing.size).toBe(0);
  });

  it('keeps the newer parts if the oldest one is too old for the platform', async () => {
    const read = await readParts(range, 10, ['a', 'b'], async ({ start }, names) => {
      if (start < '2026-01-11') throw rejection('since must be within the last two years');
      return { found: found(names, start), rejected: new Map() };
    });
    expect(read.found.get('b')).toEqual(['2026-01-11', '2026-01-21']);
    expect(notProvided('Facebook', read.missing)).toEqual([
      'Facebook provides a, b only from 2026-01-11 on: since must be within the last two years',
    ]);
  });

  it('is a failure if the newest part is, or for another reason than the dates', async () => {
    const fails = (when: string, message: string) =>
      readParts(range, 10, ['a'], async ({ start }, names) => {
        if (start <= when) throw rejection(message);
        return { found: found(names, start), rejected: new Map() };
      });
    await expect(fails('2026-01-21', 'since must be earlier')).rejects.toThrow('since must be earlier');
    await expect(fails('2026-01-01', 'A page access token is required')).rejects.toThrow('page access token');
  });

  it('is not read further for a metric that the platform does not have', async () => {
    const requested: string[][] = [];
    const read = await readParts(range, 10, ['a', 'gone'], async ({ start }, names) => {
      requested.push([...names]);
      return { found: found(names.slice(0, 1), start), rejected: new Map(names.slice(1).map((name) => [name, 'Unknown.'])) };
    });
    expect(requested).toEqual([['a', 'gone'], ['a'], ['a']]);
    expect(notProvided('Google', read.missing)).toEqual(['Google does not provide gone: Unknown.']);
  });
});

describe('a day in a time zone', () => {
  it.each([
    ['2026-11-20', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-11-20', 'America/Los_Angeles', '2026-11-21T08:00:00.000Z'],
    ['2026-07-01', 'America/Los_Angeles', '2026-07-02T07:00:00.000Z'],
    ['2026-03-07', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z'],
    ['2026-03-08', 'America/Los_Angeles', '2026-03-09T07:00:00.000Z'],
    ['2026-11-01', 'America/Los_Angeles', '2026-11-02T08:00:00.000Z'],
    ['2026-10-31', 'America/Los_Angeles', '2026-11-01T07:00:00.000Z'],
  ])('%s ends in %s at %s', (day, timeZone, end) => {
    expect(endOfDay(day, timeZone).toISOString()).toBe(end);
  });

  it('ends when the next one begins', () => {
    fc.assert(
      fc.property(fc.nat(30_000), fc.constantFrom('UTC', 'America/Los_Angeles', 'Europe/Berlin'), (number, timeZone) => {
        const day = daysAfter('1970-01-01', number);
        const end = endOfDay(day, timeZone);
        const dayAt = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone });
        expect([dayAt(end.getTime() - 1), dayAt(end.getTime())]).toEqual([day, daysAfter(day, 1)]);
        expect(startOfDay(daysAfter(day, 1), timeZone)).toEqual(end);
      }),
    );
  });
});

describe('parts of the statistics of an account', () => {
  const forbidden = (operator?: string) =>
    new PlatformFailure('permission', 'Requires read_insights', { effect: 'rejected', detail: { operator } });

  it('are left out, with a reason, if the account does not allow reading them', async () => {
    const { read, reasons } = readPartly('Facebook');
    expect([await read(Promise.resolve(1), null), await read(Promise.reject(forbidden()), null)]).toEqual([1, null]);
    expect([...reasons]).toEqual(['Facebook does not allow reading some statistics of this account: Requires read_insights']);
  });

  it('fail if the access of our app is the problem', async () => {
    await expect(readPartly('X').read(Promise.reject(forbidden('credits_depleted')), null)).rejects.toThrow();
  });
});
