import { daysOf, UNKNOWN_STATISTICS, type Platform } from '@fanfare/connectors';
import { connectMongo, type Mongo } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import fc from 'fast-check';
import { putAccountDays } from '../src/accounts/store/account-months.ts';
import { engagementsOf, rateOf } from '../src/posts/engagement.ts';
import { posts, type PostDocument } from '../src/posts/store/posts.ts';
import { bestTimes, LEAST_POSTS } from '../src/reports/best-times.ts';
import { rankPosts } from '../src/reports/rank-posts.ts';
import { rangeBefore, summarize } from '../src/reports/summary.ts';

let mongo: Mongo;
beforeAll(async () => {
  const infra = testInfrastructure();
  mongo = await connectMongo({ url: infra.mongoUrl, database: infra.database, service: 'analytics' });
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});

const newOwner = () => ({ organizationId: newId(), businessId: newId() });
type Owner = ReturnType<typeof newOwner>;

interface Day {
  readonly integration_id: string;
  readonly platform: Platform;
  readonly day: string;
  readonly followers: number | null;
  readonly impressions: number | null;
}

async function store({ organizationId, businessId }: Owner, days: readonly Day[]): Promise<void> {
  for (const { integration_id, platform, ...day } of days) {
    await putAccountDays(mongo.db, { organization_id: organizationId, business_id: businessId, integration_id, platform }, [day]);
  }
}

function aPost(
  owner: Owner,
  platform: Platform,
  publishedAt: Date,
  numbers: Partial<typeof UNKNOWN_STATISTICS>,
  more: Partial<PostDocument> = {},
): PostDocument {
  const all = { ...UNKNOWN_STATISTICS, ...numbers };
  const [engagements, engagement_rate] = [engagementsOf(all), rateOf(all)];
  const latest = { age_hours: 24, taken_at: publishedAt, numbers: all, age: 24, engagements, engagement_rate };
  return {
    _id: newId(),
    organization_id: owner.organizationId,
    business_id: owner.businessId,
    post_id: newId(),
    integration_id: `account-${platform}`,
    platform,
    publish_id: newId(),
    published_at: publishedAt,
    latest,
    engagements_24h: engagements,
    ...more,
  };
}

const maybe = (max: number) => fc.option(fc.nat(max), { nil: null });
const RANGE = { start: '2026-07-01', end: '2026-09-28' };

test('the summary of a quarter equals the sum of its stored statistics', async () => {
  const before = rangeBefore(RANGE);
  expect(before).toEqual({ start: '2026-04-02', end: '2026-06-30' });
  const days = daysOf({ start: before.start, end: RANGE.end });
  const account = fc.record({
    platform: fc.constantFrom<Platform>('facebook', 'instagram', 'x'),
    days: fc.array(fc.record({ at: fc.nat(days.length - 1), followers: maybe(1_000), impressions: maybe(500) }), { maxLength: 60 }),
  });
  const post = fc.record({
    platform: fc.constantFrom<Platform>('facebook', 'instagram', 'x'),
    at: fc.nat(days.length - 1),
    likes: maybe(100),
    impressions: maybe(1_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(account, { minLength: 1, maxLength: 4 }), fc.array(post, { maxLength: 20 }), async (accounts, published) => {
      const owner = newOwner();
      const documents = accounts.flatMap((one) => {
        const id = newId();
        const byDay = new Map(one.days.map((day) => [days[day.at] ?? '', day]));
        return [...byDay].map(([day, { followers, impressions }]): Day => ({
          integration_id: id,
          platform: one.platform,
          day,
          followers,
          impressions,
        }));
      });
      await store(owner, documents);
      const rows = published.map(({ platform, at, likes, impressions }) =>
        aPost(owner, platform, new Date(`${days[at]}T23:59:59Z`), { likes, impressions }),
      );
      if (rows.length > 0) await posts(mongo.db).insertMany(rows);

      const { total, platforms } = await summarize(mongo.db, owner, RANGE, '2024-01-01');
      for (const [range, within] of [
        ['current', RANGE],
        ['previous', before],
      ] as const) {
        const isIn = (day: string) => day >= within.start && day <= within.end;
        const ours = documents.filter(({ day }) => isIn(day));
        expect(total?.[range]?.impressions ?? null).toBe(sum(ours.map(({ impressions }) => impressions ?? null)));
        expect(total?.[range]?.followerGrowth ?? null).toBe(growthOf(documents, within));
        const there = rows.filter(({ published_at }) => isIn(published_at?.toISOString().slice(0, 10) ?? ''));
        expect(total?.[range]?.posts).toBe(there.length);
        expect(total?.[range]?.engagements ?? null).toBe(sum(there.map(({ latest }) => latest?.engagements ?? null)));
        const rated = there.filter(({ latest }) => latest?.engagements !== null && latest?.numbers.impressions !== null);
        const seen = sum(rated.map(({ latest }) => latest?.numbers.impressions ?? null));
        const engaged = sum(rated.map(({ latest }) => latest?.engagements ?? null));
        const rate = total?.[range]?.engagementRate;
        if (seen === null || engaged === null || seen === 0) expect(rate).toBeUndefined();
        else expect(rate).toBeCloseTo(engaged / seen);
      }
      const shown = [...new Set([...documents, ...rows].map(({ platform }) => platform))].sort();
      expect(platforms.map(({ platform }) => platform)).toEqual(shown);
    }),
    { numRuns: 25 },
  );
});

test('totals of posts are unknown for a range of which posts are deleted already; totals say how many accounts they include', async () => {
  const owner = newOwner();
  await posts(mongo.db).insertMany([aPost(owner, 'x', new Date('2026-06-30T08:00:00Z'), { likes: 3, views: 10 })]);
  const account = (day: string, followers: number | null, impressions: number | null): Day => ({
    ...{ integration_id: newId(), platform: 'x', day, followers, impressions },
  });
  await store(owner, [account('2026-07-01', 5, null), account('2026-07-02', 6, 40), account('2026-06-30', null, 7)]);
  const all = await summarize(mongo.db, owner, RANGE, '2026-04-02');
  expect(all.total?.previous).toMatchObject({ posts: 1, postsUnknown: false, engagements: 3, postImpressions: 10, accounts: 1 });
  expect(all.total?.accounts).toBe(3);
  expect(all.total?.current).toMatchObject({ accounts: 2, knownAccounts: { followers: 2, impressions: 1, followerGrowth: 0 } });
  const { total } = await summarize(mongo.db, owner, RANGE, '2026-04-03');
  expect(total?.previous).toMatchObject({ postsUnknown: true, engagements: undefined, postImpressions: undefined });
  expect(total?.current?.postsUnknown).toBe(false);
});

const sum = (parts: readonly (number | null)[]): number | null => {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((all, part) => all + part, 0);
};

function growthOf(days: readonly Day[], { start, end }: typeof RANGE): number | null {
  const byAccount = Map.groupBy(
    days.filter(({ followers }) => typeof followers === 'number'),
    ({ integration_id }) => integration_id,
  );
  return sum(
    [...byAccount.values()].map((all) => {
      const sorted = all.toSorted((a, b) => (a.day < b.day ? -1 : 1));
      const within = sorted.filter(({ day }) => day >= start && day <= end);
      // The last value before the range, at most 31 days before the start of the range before.
      const first = sorted.findLast(({ day }) => day < start) ?? (within.length > 1 ? within[0] : undefined);
      const last = within.at(-1);
      return first && last ? (last.followers ?? 0) - (first.followers ?? 0) : null;
    }),
  );
}

test('growth is unknown with only one value, and the growth of weeks adds up to the growth of all of them', async () => {
  const owner = newOwner();
  const of = (integration_id: string, day: string, followers: number): Day => ({
    integration_id,
    platform: 'x',
    day,
    followers,
    impressions: 1,
  });
  await store(owner, [of('one', '2026-07-10', 5)]);
  const growth = async (start: string, end: string) =>
    (await summarize(mongo.db, owner, { start, end }, '2024-01-01')).total?.current?.followerGrowth;
  expect(await growth('2026-07-01', '2026-07-31')).toBeUndefined();
  await store(owner, [of('one', '2026-07-14', 9), of('one', '2026-07-16', 20), of('one', '2026-07-21', 18)]);
  const weeks = [await growth('2026-07-08', '2026-07-14'), await growth('2026-07-15', '2026-07-21')];
  expect(weeks).toEqual([4, 9]);
  expect(await growth('2026-07-08', '2026-07-21')).toBe(13);
});

const wanted = {
  start: '',
  end: '',
  metric: 'likes',
  platform: '',
  mediaType: '',
  metadataKey: undefined,
  metadataValue: undefined,
  limit: 10,
};

test('posts are ranked by a metric, posts without it are left out, and filters apply', async () => {
  const owner = newOwner();
  const at = new Date('2026-08-01T10:00:00Z');
  const metadata = (value: string) => ({ metadata: [{ key: 'campaign', value }] });
  const rows = [
    aPost(owner, 'x', at, { likes: 5 }, { media_type: 'image', ...metadata('summer') }),
    aPost(owner, 'facebook', at, { likes: 9 }, { media_type: 'video' }),
    aPost(owner, 'instagram', at, { likes: null }),
    aPost(owner, 'x', at, { likes: 0 }, metadata('winter')),
    aPost(owner, 'x', new Date('2026-06-30T23:59:59Z'), { likes: 100 }),
  ];
  await posts(mongo.db).insertMany([...rows, aPost(newOwner(), 'x', at, { likes: 1_000 })]);
  const ranked = async (more: object) => (await rankPosts(mongo.db, owner, RANGE, { ...wanted, ...more })).map(({ value }) => value);
  expect(await ranked({})).toEqual([9, 5, 0]);
  expect(await ranked({ platform: 'x' })).toEqual([5, 0]);
  expect(await ranked({ mediaType: 'video' })).toEqual([9]);
  expect(await ranked({ metadataKey: 'campaign' })).toEqual([5, 0]);
  expect(await ranked({ metadataKey: 'campaign', metadataValue: 'winter' })).toEqual([0]);
  expect(await ranked({ limit: 1 })).toEqual([9]);
  await expect(ranked({ metric: '__proto__' })).rejects.toMatchObject({ code: 'invalid_request', param: 'metric' });
});

test('reports are of one business: neither of another one of its organization nor of another organization', async () => {
  const owner = newOwner();
  const at = new Date('2026-08-01T10:00:00Z');
  for (const one of [owner, { ...owner, businessId: newId() }, { ...owner, organizationId: newId() }]) {
    await store(one, [{ integration_id: newId(), platform: 'x', day: '2026-08-01', followers: 3, impressions: 7 }]);
    await posts(mongo.db).insertOne(aPost(one, 'x', at, { likes: 5 }));
  }
  const { total } = await summarize(mongo.db, owner, RANGE, '2026-01-01');
  expect(total).toMatchObject({ accounts: 1, current: { posts: 1, engagements: 5, impressions: 7, followers: 3 } });
  expect(await rankPosts(mongo.db, owner, RANGE, wanted)).toHaveLength(1);
  expect((await bestTimes(mongo.db, owner, 'UTC', '')).posts).toBe(1);
});

test('best times are in the time zone of the business, and with too few posts there is no recommendation', async () => {
  const owner = newOwner();
  // Saturdays at 8 in Berlin, before and after the clocks change.
  const saturdays = ['2026-10-17T06:10:00Z', '2026-10-24T06:20:00Z', '2026-10-31T07:30:00Z'];
  await posts(mongo.db).insertMany(saturdays.map((time) => aPost(owner, 'x', new Date(time), { likes: 30 })));
  const few = await bestTimes(mongo.db, owner, 'Europe/Berlin', '');
  expect(few).toMatchObject({ posts: 3, isEnough: false, leastPosts: LEAST_POSTS, since: new Date(saturdays[0] ?? '') });
  expect(few.hours).toEqual([{ weekday: 6, hour: 8, posts: 3, score: undefined }]);

  const others = Array.from({ length: LEAST_POSTS }, (_, at) => aPost(owner, 'x', new Date(Date.UTC(2026, 8, 1 + at, 15)), { likes: 10 }));
  await posts(mongo.db).insertMany(others);
  const { hours, isEnough } = await bestTimes(mongo.db, owner, 'Europe/Berlin', '');
  expect(isEnough).toBe(true);
  const saturday = hours.find(({ weekday, hour }) => weekday === 6 && hour === 8);
  expect(saturday?.score).toBeCloseTo(30 / ((3 * 30 + LEAST_POSTS * 10) / (3 + LEAST_POSTS)));
  expect((await bestTimes(mongo.db, owner, 'Europe/Berlin', 'facebook')).posts).toBe(0);
});

test('posts in only one hour of the week are not enough for a recommendation', async () => {
  const owner = newOwner();
  const inOneHour = Array.from({ length: LEAST_POSTS }, () => aPost(owner, 'x', new Date('2026-10-17T06:10:00Z'), { likes: 10 }));
  await posts(mongo.db).insertMany(inOneHour);
  expect(await bestTimes(mongo.db, owner, 'UTC', '')).toMatchObject({ posts: LEAST_POSTS, isEnough: false, hours: [{ score: undefined }] });
});
