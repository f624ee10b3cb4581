import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient, type Db } from 'mongodb';
import { createRateLimiter, type RateLimiter } from '../../src/http/limits/rate-limiter.ts';
import type { PermitResult } from '../../src/http/limits/subject.ts';
import {
  countKeysByOrganization,
  createRateWindowIndexes,
  type Limits,
  type RateWindowsDocument,
} from '../../src/http/store/rate-windows.ts';

const { mongoUrl, database } = testInfrastructure();
const limits: Limits = { perMinute: 100, perDay: 2_000, perWeek: 10_000 };
const roomy: Limits = { perMinute: 6_000, perDay: 1_000_000, perWeek: 1_000_000 };

/** Two processes, each with its own connection and memory. */
let clients: MongoClient[];
let db: Db;
let commands = 0;
let one: RateLimiter;
let other: RateLimiter;

beforeAll(async () => {
  clients = [0, 1].map(() => new MongoClient(mongoUrl, { monitorCommands: true, writeConcern: { w: 'majority' }, ignoreUndefined: true }));
  for (const client of clients) client.on('commandStarted', ({ databaseName }) => void (databaseName === database && commands++));
  db = clients[0]?.db(database) as Db;
  await createRateWindowIndexes(db);
});
beforeEach(async () => {
  await intoOneMinute();
  [one, other] = clients.map((client) => createRateLimiter(client.db(database))) as [RateLimiter, RateLimiter];
});
afterEach(() => Promise.all([one.close(), other.close()]));
afterAll(async () => {
  await db.dropDatabase();
  await Promise.all(clients.map((client) => client.close()));
});

const isServed = ({ rejected }: PermitResult) => !rejected;
const times = (count: number, take: (index: number) => Promise<PermitResult>) =>
  Promise.all(Array.from({ length: count }, (_, at) => take(at)));
const stored = (subject: string) => db.collection<RateWindowsDocument>('rate_windows').findOne({ _id: subject });
const set = (subject: string, change: object) =>
  db.collection<RateWindowsDocument>('rate_windows').updateOne({ _id: subject }, { $set: change });
const window = ({ windows }: Pick<PermitResult, 'windows'>, name: string) => windows.find((one) => one.name === name);

/** Waits for the next minute if a test would otherwise run at the end of one. */
async function intoOneMinute() {
  await eventually(() => Date.now() % 60_000 < 50_000, 15_000);
}

describe('exactness', () => {
  it('permits a thousand concurrent requests of two processes exactly as often as the limit', async () => {
    const takings = await times(1_000, (at) => (at % 2 ? one : other).take('key:burst', limits));
    expect(takings.filter(isServed)).toHaveLength(100);
    const remaining = takings.filter(isServed).map((taking) => window(taking, 'minute')?.remaining ?? -1);
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));
    expect(await stored('key:burst')).toMatchObject({ minute: { used: 100 }, day: { used: 100 }, week: { used: 100 } });
  });

  it('permits exactly the limit while permits are prefetched', async () => {
    let served = 0;
    // Forty concurrent requests in each process: enough to prefetch permits, which the next requests use.
    const drive = async (limiter: RateLimiter) => {
      for (let sent = 0; sent < 5_000; sent += 40) {
        const takings = await times(40, () => limiter.take('key:leases', roomy));
        served += takings.filter(isServed).length;
      }
    };
    await Promise.all([drive(one), drive(other)]);
    await Promise.all([one.close(), other.close()]);
    expect(served).toBe(6_000);
    expect((await stored('key:leases'))?.minute.used).toBe(6_000);
  });

  it('prefetches permits under steady load, and returns unused ones', async () => {
    const rich = { perMinute: 100_000, perDay: 100_000, perWeek: 100_000 };
    const before = commands;
    for (let at = 0; at < 200; at++) expect(isServed(await one.take('key:steady', rich))).toBe(true);
    expect(commands - before).toBeLessThan(50);
    await eventually(async () => (await stored('key:steady'))?.minute.used === 200);
    expect(await stored('key:steady')).toMatchObject({ day: { used: 200 }, week: { used: 200 } });
  });

  it('returns unused ones at a stop', async () => {
    const rich = { perMinute: 100_000, perDay: 100_000, perWeek: 100_000 };
    for (let at = 0; at < 25; at++) await one.take('key:stop', rich);
    expect((await stored('key:stop'))?.week.used).toBeGreaterThan(25);
    await one.close();
    expect(await stored('key:stop')).toMatchObject({ minute: { used: 25 }, day: { used: 25 }, week: { used: 25 } });
  });

  it('prefetches nothing if a window has at most 5,000 left', async () => {
    const narrow = { perMinute: 100_000, perDay: 100_000, perWeek: 5_100 };
    for (let at = 0; at < 110; at++) await one.take('key:floor', narrow);
    for (let at = 0; at < 20; at++) {
      const taking = await one.take('key:floor', narrow);
      expect((await stored('key:floor'))?.week.used).toBe(window(taking, 'week')?.used);
    }
  });

  it('does not carry a permit over into the next window', async () => {
    const rich = { perMinute: 100_000, perDay: 100_000, perWeek: 100_000 };
    for (let at = 0; at < 25; at++) await one.take('key:over', rich);
    const ahead = ((await stored('key:over'))?.minute.used ?? 0) - 25;
    expect(ahead).toBeGreaterThan(0);
    // The minute ends while permits are prefetched: only the day and the week get them back.
    const next = new Date(((await stored('key:over'))?.minute.start.getTime() ?? 0) + 60_000);
    await set('key:over', { minute: { start: next, used: 7 } });
    await one.close();
    expect(await stored('key:over')).toMatchObject({ minute: { used: 7 }, day: { used: 25 }, week: { used: 25 } });
  });
});

describe('keys of an organization', () => {
  const wide: Limits = { perMinute: 150, perDay: 10_000, perWeek: 50_000 };
  const keyOf = (id: string, own = limits) => ({ id, limits: own });

  it('share its limit exactly, and each has its own', async () => {
    const takings = await times(600, (at) => (at % 2 ? one : other).take('organization:shared', wide, keyOf(`k-${at % 3}`)));
    expect(takings.filter(isServed)).toHaveLength(150);
    const { minute } = (await stored('organization:shared')) ?? {};
    const used = Object.values(minute?.keys ?? {});
    expect(minute?.used).toBe(150);
    expect(used.reduce((sum, each) => sum + each)).toBe(150);
    expect(Math.max(...used)).toBeLessThanOrEqual(100);
    const rejections = takings.filter((taking) => !isServed(taking));
    expect(rejections.every(({ rejected }) => rejected?.window.name === 'minute')).toBe(true);
    expect(rejections.some(({ rejected }) => rejected?.window.isShared)).toBe(true);
  });

  it('do not charge it for requests that their own limit rejects', async () => {
    const takings = await times(1_000, (at) => (at % 2 ? one : other).take('organization:own', wide, keyOf('greedy')));
    expect(takings.filter(isServed)).toHaveLength(100);
    expect(takings.find(({ rejected }) => rejected)?.rejected?.window).toMatchObject({ name: 'minute', limit: 100 });
    expect(await stored('organization:own')).toMatchObject({ minute: { used: 100 }, day: { used: 100 }, week: { used: 100 } });
    // So the others have requests left.
    expect((await times(100, () => one.take('organization:own', wide, keyOf('modest')))).filter(isServed)).toHaveLength(50);
  });

  it('cost one round trip each, and none once the limit is known to be reached', async () => {
    const before = commands;
    expect(isServed(await one.take('organization:trips', wide, keyOf('k')))).toBe(true);
    expect(commands - before).toBe(1);
    await times(200, () => one.take('organization:trips', wide, keyOf('k')));
    const full = commands;
    await times(50, () => one.take('organization:trips', wide, keyOf('k')));
    expect(commands).toBe(full);
  });

  it('return prefetched permits to both', async () => {
    const rich = { perMinute: 100_000, perDay: 100_000, perWeek: 100_000 };
    for (let at = 0; at < 25; at++) await one.take('organization:ahead', rich, keyOf('k', rich));
    expect((await stored('organization:ahead'))?.week.used).toBeGreaterThan(25);
    await one.close();
    const count = { used: 25, keys: { k: 25 } };
    expect(await stored('organization:ahead')).toMatchObject({ minute: count, day: count, week: count });
  });

  it('reset with the window, and those that no longer call are removed', async () => {
    await times(150, (at) => one.take('organization:turn', wide, keyOf(`k-${at % 2}`)));
    const { minute } = (await stored('organization:turn')) ?? {};
    await set('organization:turn', { 'minute.start': new Date((minute?.start.getTime() ?? 0) - 60_000) });
    expect(isServed(await other.take('organization:turn', wide, keyOf('k-1')))).toBe(true);
    const turned = await stored('organization:turn');
    expect(turned?.minute).toMatchObject({ used: 1, keys: { 'k-1': 1 } });
    expect(turned?.minute.keys).not.toHaveProperty('k-0');
    expect(turned?.day).toMatchObject({ used: 151, keys: { 'k-0': 75, 'k-1': 76 } });
  });

  it('carry over what they used when they were counted by themselves', async () => {
    await times(7, () => one.take('key:moved', limits));
    await one.take('key:of-nobody', limits);
    await times(2, () => one.take('organization:adopts', wide, keyOf('there')));
    await db.collection('api_keys').insertOne({ _id: 'moved', organization_id: 'adopts' } as never);
    const { minute, day, week } = (await stored('key:moved')) ?? {};
    // The minute is over; the week is not.
    await set('key:moved', { 'minute.start': new Date(0) });
    await countKeysByOrganization(db);
    expect([minute?.used, day?.used, week?.used]).toEqual([7, 7, 7]);
    expect(await stored('key:moved')).toBeNull();
    expect(await stored('key:of-nobody')).toBeNull();
    const adopted = await one.read('organization:adopts', wide, keyOf('moved'));
    expect(adopted.map(({ used }) => used)).toEqual([0, 7, 7, 2, 9, 9]);
    // After an interruption before the old one was deleted, it is not counted again.
    await db.collection('rate_windows').insertOne({ _id: 'key:moved', minute, day, week } as never);
    await countKeysByOrganization(db);
    expect((await one.read('organization:adopts', wide)).map(({ used }) => used)).toEqual([2, 9, 9]);
    await countKeysByOrganization(db);
  });
});

describe('windows', () => {
  it('reset at their times, each by itself', async () => {
    await times(100, () => one.take('key:turn', limits));
    const full = await one.take('key:turn', limits);
    expect(full.rejected?.window.name).toBe('minute');
    const { minute } = (await stored('key:turn')) ?? {};
    await set('key:turn', { 'minute.start': new Date((minute?.start.getTime() ?? 0) - 60_000) });
    const next = await other.take('key:turn', limits);
    expect(isServed(next)).toBe(true);
    expect(next.windows).toMatchObject([{ used: 1 }, { used: 101 }, { used: 101 }]);
  });

  it('are not granted again if the clock of the database was set back', async () => {
    await times(100, () => one.take('key:back', limits));
    const { minute } = (await stored('key:back')) ?? {};
    await set('key:back', { 'minute.start': new Date((minute?.start.getTime() ?? 0) + 60_000) });
    expect(isServed(await other.take('key:back', limits))).toBe(false);
  });

  it('are the UTC minute, the UTC day and the ISO week, which begins on Monday', async () => {
    const { windows } = await one.take('key:bounds', limits);
    const [minute, day, week] = windows.map(({ resetAt }) => resetAt);
    const now = (await stored('key:bounds'))?.at ?? new Date(NaN);
    expect(minute?.getTime()).toBe(Math.floor(now.getTime() / 60_000 + 1) * 60_000);
    expect(day?.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect((day?.getTime() ?? 0) - now.getTime()).toBeLessThanOrEqual(86_400_000);
    expect(week?.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(week?.getUTCDay()).toBe(1);
    expect((week?.getTime() ?? 0) - now.getTime()).toBeLessThanOrEqual(7 * 86_400_000);
  });

  it('reject together: a request that one rejects is charged to none, and the one that resets last is named', async () => {
    const tight = { perMinute: 5, perDay: 3, perWeek: 3 };
    await times(3, () => one.take('key:together', tight));
    const { rejected, windows } = await one.take('key:together', tight);
    expect(rejected?.window.name).toBe('week');
    expect(window({ windows }, 'minute')?.remaining).toBe(2);
    expect(await stored('key:together')).toMatchObject({ minute: { used: 3 }, day: { used: 3 }, week: { used: 3 } });
  });
});

describe('rejections', () => {
  it('cost no round trip once they are known, and apply to these limits only', async () => {
    const few = { ...limits, perDay: 3 };
    await times(4, () => one.take('key:known', few));
    const before = commands;
    const again = await times(50, () => one.take('key:known', few));
    expect(again.filter(isServed)).toHaveLength(0);
    expect(again[0]?.rejected).toMatchObject({ window: { name: 'day', limit: 3 } });
    expect(commands).toBe(before);
    expect(isServed(await one.take('key:known', { ...limits, perDay: 4 }))).toBe(true);
  });

  it('a limit of 0 permits nothing', async () => {
    const { rejected } = await one.take('key:none', { perMinute: 0, perDay: 10, perWeek: 10 });
    expect(rejected?.window).toMatchObject({ name: 'minute', limit: 0, remaining: 0 });
    expect(rejected?.waitMs).toBeLessThanOrEqual(60_000);
    expect((await stored('key:none'))?.week.used).toBe(0);
  });

  it('an unavailable database permits nothing', async () => {
    const unavailable = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 50 });
    await expect(createRateLimiter(unavailable.db(database)).take('key:unavailable', limits)).rejects.toThrow();
    await unavailable.close();
  });
});

describe('reading', () => {
  it('returns the usage without using any', async () => {
    await times(3, () => one.take('key:read', limits));
    await one.read('key:read', limits);
    expect(await one.read('key:read', limits)).toMatchObject([
      { name: 'minute', limit: 100, used: 3, remaining: 97 },
      { name: 'day', limit: 2_000, used: 3, remaining: 1_997 },
      { name: 'week', limit: 10_000, used: 3, remaining: 9_997 },
    ]);
    const { minute } = (await stored('key:read')) ?? {};
    await set('key:read', { 'minute.start': new Date((minute?.start.getTime() ?? 0) - 60_000) });
    expect(await one.read('key:read', limits)).toMatchObject([{ used: 0 }, { used: 3 }, { used: 3 }]);
  });

  it('returns the windows of a subject that never called', async () => {
    const expected = (await one.take('key:caller', limits)).windows.map(({ resetAt }) => resetAt);
    const read = await one.read('key:nobody', limits);
    expect(read.map(({ used }) => used)).toEqual([0, 0, 0]);
    expect(read.map(({ resetAt }) => resetAt)).toEqual(expected);
  });
});
