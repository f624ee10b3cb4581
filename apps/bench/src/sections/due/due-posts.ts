import { setTimeout as wait } from 'node:timers/promises';
import { ListPostsRequest } from '@fanfare/contracts/content';
import { connectAccounts, createTenant } from '@fanfare/stack';
import { percentile } from '../../percentile.ts';
import type { BenchPlatform } from '../../platform.ts';
import { cpuBetween, usageOf } from '../../process-usage.ts';
import { atMost } from '../../report/table.ts';
import { committedTransactions } from '../../store/transactions.ts';
import type { Figure } from '../figure.ts';
import { schedulePosts, timeFor, type Wanted } from './schedule-posts.ts';
import { takenAt } from './taken-at.ts';

type Business = Pick<Wanted, 'organizationId' | 'businessId'>;

const PLATFORMS = ['x', 'facebook'];
const ORGANIZATIONS = 20;
const ONE_ACCOUNT = { posts: 200, p99Ms: 2_000 };
const MANY = { posts: 1_000, lastMs: 5_000 };
/** The other organization's posts are due one after the other, so that some of them coincide with the peak of the flood. */
const BESIDE = { flood: 5_000, posts: 5, everyMs: 1_000, worstMs: 2_000 };
/** Scheduled posts are checked twice against an account that was connected, the second time after a minute. That is not part of the cost of due posts. */
const CHECKED_TWICE_MS = 65_000;
/** For warm processes: a real platform is not restarted before each flood. */
const WARM_UP = 1_000;
const LIMIT_MS = 3 * 60_000;
const POLL_MS = 100;

/** Scheduled posts that are due in the same second: how long after it the platform has them. */
export async function duePosts(platform: BenchPlatform, say: (line: string) => void): Promise<Figure[]> {
  const businesses = await organizations(platform);
  const checked = wait(CHECKED_TWICE_MS);
  const [one, other] = businesses as [Business, Business];
  const toX = (count: number, dueAt: Date) => Array.from({ length: count }, () => ({ ...one, platform: 'x', dueAt }));

  say(`${WARM_UP} due posts that are not counted`);
  await lateness(platform, spread(businesses, WARM_UP, timeFor(WARM_UP)), () => undefined);
  await checked;
  say(`${ONE_ACCOUNT.posts} posts of one account, due in the same second`);
  const alone = await lateness(platform, toX(ONE_ACCOUNT.posts, timeFor(ONE_ACCOUNT.posts)), say);
  say(`${MANY.posts} posts of ${ORGANIZATIONS} organizations, due in the same second`);
  const many = await lateness(platform, spread(businesses, MANY.posts, timeFor(MANY.posts)), say);
  say(`${BESIDE.flood} posts of one organization, and ${BESIDE.posts} of another next to them`);
  const dueAt = timeFor(BESIDE.flood + BESIDE.posts);
  const beside = Array.from({ length: BESIDE.posts }, (_, at) => ({
    ...other,
    platform: 'facebook',
    dueAt: new Date(dueAt.getTime() + at * BESIDE.everyMs),
  }));
  const flooded = await lateness(platform, [...beside, ...toX(BESIDE.flood, dueAt)], say);

  return [
    seconds(`p99 of ${ONE_ACCOUNT.posts} posts of one account (${alone.cost})`, percentile(alone.lateMs, 99), ONE_ACCOUNT.p99Ms),
    seconds(`last of ${MANY.posts} posts of ${ORGANIZATIONS} organizations (${many.cost})`, Math.max(...many.lateMs), MANY.lastMs),
    seconds(
      `latest of ${BESIDE.posts} posts next to ${BESIDE.flood} of another organization, whose last is ${(Math.max(...flooded.lateMs) / 1000).toFixed(1)} s late`,
      Math.max(...flooded.lateMs.slice(0, BESIDE.posts)),
      BESIDE.worstMs,
    ),
  ];
}

/** Latencies of the posts, and the total cost from when they were due until the last one was sent. */
async function lateness(
  platform: BenchPlatform,
  wanted: readonly Wanted[],
  say: (line: string) => void,
): Promise<{ lateMs: number[]; cost: string }> {
  const { mongoUrl, processes } = platform;
  const since = new Date();
  const captions = await schedulePosts(platform, wanted);
  const [before, committed] = [await usageOf(processes), await committedTransactions(mongoUrl)];
  const taken = await takenAt(platform, captions, since);
  await untilPublished(platform, wanted);
  const cpu = cpuBetween(before, await usageOf(processes));
  const transactions = (await committedTransactions(mongoUrl)) - committed;
  const each = Object.entries(cpu).map(([name, used]) => `${name} ${((used / wanted.length) * 1000).toFixed(1)}`);
  const lateMs = taken.map((at, index) => at.getTime() - (wanted[index]?.dueAt.getTime() ?? NaN));
  const cost = `${(transactions / wanted.length).toFixed(2)} transactions each, CPU in ms: ${each.join(', ')}`;
  const late = [50, 99, 100].map((percent) => (percentile(lateMs, percent) / 1000).toFixed(2));
  say(`  late by ${late.join(', ')} s (p50, p99, last); ${cost}`);
  return { lateMs, cost };
}

/** Results that callers read are part of the cost, and nothing of them remains for the next section. */
async function untilPublished({ operator }: BenchPlatform, wanted: readonly Wanted[]): Promise<void> {
  const businesses = new Map(wanted.map((one) => [one.businessId, one]));
  const request = ListPostsRequest.fromPartial({ pageSize: 1, statuses: ['POST_STATUS_SCHEDULED'] });
  const end = performance.now() + LIMIT_MS;
  for (const business of businesses.values()) {
    while ((await operator.content.listPosts(request, operator.as(business))).posts.length > 0) {
      if (performance.now() > end) throw new Error(`Posts are not reported as published after ${LIMIT_MS / 1000} s.`);
      await wait(POLL_MS);
    }
  }
}

/** Over all organizations, and both platforms of each. */
const spread = (businesses: readonly Business[], count: number, dueAt: Date): Wanted[] =>
  Array.from({ length: count }, (_, at) => ({
    ...(businesses[at % businesses.length] as Business),
    platform: PLATFORMS[Math.floor(at / businesses.length) % PLATFORMS.length] as string,
    dueAt,
  }));

const seconds = (what: string, ms: number, targetMs: number): Figure => ({
  what,
  measured: `${(ms / 1000).toFixed(2)} s`,
  target: `≤ ${targetMs / 1000} s`,
  verdict: atMost(targetMs, ms),
});

async function organizations({ operator, baseUrl }: BenchPlatform): Promise<Business[]> {
  const made: Business[] = [];
  for (let index = 0; index < ORGANIZATIONS; index++) {
    const tenant = await createTenant(operator, { name: `Bench due ${index}`, plan: 'bench', businessName: `Bench Bakery ${index}` });
    const business = { organizationId: tenant.organization_id, businessId: tenant.business_id };
    await connectAccounts(operator, { platforms: PLATFORMS, ...business, redirectUri: `${baseUrl}/oauth/callback` });
    made.push(business);
  }
  return made;
}
