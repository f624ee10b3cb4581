import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, numberAt, requiredAt, stringAt, unreadable } from '../calls/fields.ts';
import { daysAfter, splitDays } from '../reading/day-range.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, sumOf, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { readPartly } from '../reading/read-partly.ts';
import { requiredList } from '../reading/required.ts';
import { createdWithin } from '../reading/created-within.ts';
import type { Audience, DayRange, ReadCall, Reading, Series, Shares } from '../reading/reading.ts';
import { sharesOf } from '../reading/shares.ts';
import { accountKind } from './account-kind.ts';
import { countryCode } from './country-code.ts';
import { linkedinGet } from './linkedin-call.ts';
import { SHARE_STATISTICS, withStatistics } from './read-posts.ts';
import { DAYS, readingRules } from './reading-rules.ts';

/** Metrics of posts: the names in `totalShareStatistics`. */
const SHARE_METRICS = ['impressionCount', 'clickCount', 'likeCount', 'commentCount', 'shareCount', 'engagement'];
const MEMBER = 'LinkedIn does not provide statistics and posts of personal profiles. Connect the page of an organization instead.';
/** Facets of followers → the collection that names their values. */
const FACETS = {
  industry: { list: 'followerCountsByIndustry', id: 'industry', names: '/industries' },
  seniority: { list: 'followerCountsBySeniority', id: 'seniority', names: '/seniorities' },
  function: { list: 'followerCountsByFunction', id: 'function', names: '/functions' },
  country: { list: 'followerCountsByGeoCountry', id: 'geo', names: '/geo' },
} as const;

export const reading: Reading = {
  rules: readingRules,

  lack: ({ accountId }) => (accountKind(accountId) === 'member' ? MEMBER : undefined),

  async readAccount(call, wanted) {
    const followers = await readFollowers(call);
    const { read, reasons } = readPartly('LinkedIn');
    const shares = await read(readShareStatistics(call, wanted), []);
    const page = await read(readPageStatistics(call, wanted), []);
    const needsGains = wanted.metrics.some((name) => name.endsWith('FollowerGain'));
    const gains = needsGains ? await read(readFollowerGains(call, wanted), []) : [];
    const values = new Map<string, Series['values']>([
      ...SHARE_METRICS.map(
        (name) => [name, shares.map(({ endTime, statistics }) => ({ endTime, value: countAt(statistics, name) }))] as const,
      ),
      [
        'allPageViews',
        page.map(({ endTime, statistics }) => ({ endTime, value: countAt(statistics, 'views', 'allPageViews', 'pageViews') })),
      ],
      ...['organicFollowerGain', 'paidFollowerGain'].map(
        (name) => [name, gains.map(({ endTime, statistics }) => ({ endTime, value: countAt(statistics, name) }))] as const,
      ),
    ]);
    const total = (name: string) => sumOfKnown((values.get(name) ?? []).map(({ value }) => value));
    return {
      ...UNKNOWN_TOTALS,
      followers,
      postsCount: countAt(await read(listOwn(call, { count: 1, start: 0 }), undefined), 'paging', 'total'),
      impressions: total('impressionCount'),
      reach: await read(readReach(call, wanted), null),
      profileViews: total('allPageViews'),
      websiteClicks: sumOfKnown(page.map(({ statistics }) => websiteClicksIn(statistics))),
      audience: await read(readAudience(call), UNKNOWN_AUDIENCE),
      series: wanted.metrics.map((name): Series => ({ name, period: 'day', values: values.get(name) ?? [] })),
      rawMetrics: Object.fromEntries(wanted.metrics.filter((name) => name !== 'engagement').map((name) => [name, total(name)])),
      unavailable: [...reasons],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const start = cursor === undefined ? 0 : startIn(cursor);
    const page = await listOwn(call, { count: pageSize, start });
    const found = listAt(page, 'elements').filter((post) => stringAt(post, 'lifecycleState') !== 'DRAFT');
    const posts = (await withStatistics(call, found)).filter(createdWithin({ from, until }));
    const total = countAt(page, 'paging', 'total');
    const next = start + pageSize;
    const isLast = found.length === 0 || (total !== null && next >= total);
    return { posts, totalCount: from || until ? null : total, ...(!isLast && { next: String(next) }) };
  },

  async readPosts(call, publishIds) {
    const found: unknown[] = [];
    for (const publishId of idsLike(/^urn:li:(share|ugcPost):\d+$/, publishIds)) {
      const post = await unlessMissing(call, linkedinGet(call, { path: `/posts/${encodeURIComponent(publishId)}` }));
      if (post !== undefined && requiredAt(post, 'author') === call.account.accountId) found.push(post);
    }
    return withStatistics(call, found);
  },
};

async function listOwn(call: ReadCall, part: { readonly count: number; readonly start: number }): Promise<unknown> {
  const response = await linkedinGet(call, {
    path: '/posts',
    query: { q: 'author', author: call.account.accountId, ...part, sortBy: 'CREATED' },
    headers: { 'x-restli-method': 'FINDER' },
  });
  requiredList(response, 'elements');
  return response;
}

interface Dated {
  readonly endTime: Date;
  readonly statistics: unknown;
}

/** In Rest.li's notation, which takes parentheses as they are. */
const intervals = ({ start, end }: DayRange, granularity: string) =>
  `&timeIntervals=(timeRange:(start:${Date.parse(start)},end:${Date.parse(daysAfter(end, 1))})${granularity})`;
const DAILY = ',timeGranularityType:DAY';

async function readDays(call: ReadCall, range: DayRange, finder: string, of: (element: unknown) => unknown): Promise<Dated[]> {
  const days: Dated[] = [];
  for (const part of splitDays(range, DAYS)) {
    const response = await linkedinGet(call, { path: `${finder}${encodeURIComponent(call.account.accountId)}${intervals(part, DAILY)}` });
    for (const element of requiredList(response, 'elements')) {
      const end = numberAt(element, 'timeRange', 'end');
      if (end !== undefined) days.push({ endTime: new Date(end), statistics: of(element) });
    }
  }
  return days.sort((one, other) => one.endTime.getTime() - other.endTime.getTime());
}

const FOLLOWER_STATISTICS = '/organizationalEntityFollowerStatistics?q=organizationalEntity&organizationalEntity=';

const readShareStatistics = (call: ReadCall, range: DayRange) =>
  readDays(call, range, SHARE_STATISTICS, (element) => at(element, 'totalShareStatistics'));

const readFollowerGains = (call: ReadCall, range: DayRange) =>
  readDays(call, range, FOLLOWER_STATISTICS, (element) => at(element, 'followerGains'));

const PAGE_STATISTICS = '/organizationPageStatistics?q=organization&organization=';

const readPageStatistics = (call: ReadCall, range: DayRange) =>
  readDays(call, range, PAGE_STATISTICS, (element) => at(element, 'totalPageStatistics'));

/** Clicks on the button of the page (`VISIT_WEBSITE`). Null if its button is another one, such as `CONTACT_US`. */
function websiteClicksIn(statistics: unknown): number | null {
  const buttons = ['mobileCustomButtonClickCounts', 'desktopCustomButtonClickCounts'].flatMap((name) => listAt(statistics, 'clicks', name));
  const ofWebsite = buttons.filter((button) => stringAt(button, 'customButtonType')?.endsWith('WEBSITE'));
  return sumOf(ofWebsite.map((button) => countAt(button, 'clicks')));
}

/** People who saw posts in the range: LinkedIn counts them for a whole range, and those of days do not add up. */
async function readReach(call: ReadCall, range: DayRange): Promise<number | null> {
  const response = await linkedinGet(call, {
    path: `${SHARE_STATISTICS}${encodeURIComponent(call.account.accountId)}${intervals(range, '')}`,
  });
  requiredList(response, 'elements');
  return countAt(response, 'elements', 0, 'totalShareStatistics', 'uniqueImpressionsCount');
}

async function readFollowers(call: ReadCall): Promise<number | null> {
  const path = `/networkSizes/${encodeURIComponent(call.account.accountId)}`;
  const response = await linkedinGet(call, { path, query: { edgeType: 'COMPANY_FOLLOWED_BY_MEMBER' } });
  if (at(response, 'firstDegreeSize') === undefined) throw unreadable('no firstDegreeSize in the response');
  return countAt(response, 'firstDegreeSize');
}

/** LinkedIn's API has no age and no gender of followers. */
async function readAudience(call: ReadCall): Promise<Audience> {
  const response = await linkedinGet(call, { path: `${FOLLOWER_STATISTICS}${encodeURIComponent(call.account.accountId)}` });
  const [element] = requiredList(response, 'elements');
  const named = await Promise.all(
    Object.values(FACETS).map(async ({ list, id, names }) => {
      const counts = countsIn(listAt(element, list), id);
      return sharesOf(await withNames(call, names, counts));
    }),
  );
  const [industry = null, seniority = null, ofFunction = null, countries = null] = named as readonly Shares[];
  const country = countries && Object.fromEntries(Object.entries(countries).map(([name, share]) => [countryCode(name), share]));
  return { ...UNKNOWN_AUDIENCE, industry, seniority, function: ofFunction, country };
}

const countsIn = (facets: readonly unknown[], id: string) =>
  facets.flatMap((facet) => {
    const urn = stringAt(facet, id);
    const counts = sumOf([
      countAt(facet, 'followerCounts', 'organicFollowerCount'),
      countAt(facet, 'followerCounts', 'paidFollowerCount') ?? 0,
    ]);
    return urn === undefined ? [] : [[urn, counts] as const];
  });

/** Replaces URNs (`urn:li:seniority:4`) by their names. */
async function withNames(call: Call, path: string, counts: readonly (readonly [string, number | null])[]) {
  if (counts.length === 0) return [];
  const ids = counts.map(([urn]) => urn.split(':').at(-1) ?? '');
  const response = await linkedinGet(call, { path: `${path}?ids=List(${ids.join(',')})` });
  return counts.map(([urn, count], index) => {
    const entry = at(response, 'results', ids[index] ?? '');
    const localized = at(entry, 'name', 'localized');
    const [first] = typeof localized === 'object' && localized !== null ? (Object.values(localized) as unknown[]) : [];
    // Places have another shape.
    const name = first ?? at(entry, 'defaultLocalizedName', 'value');
    return [typeof name === 'string' ? name : urn, count] as const;
  });
}

function startIn(cursor: string): number {
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  throw new PlatformFailure('validation', 'This cursor does not come from this list.', { effect: 'not_sent', detail: { param: 'cursor' } });
}

/** LinkedIn rejects reading the posts of others with the same error as a missing permission. Reading the page's own posts distinguishes the two. */
async function unlessMissing<T>(call: ReadCall, read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    // A 404 of a proxy does not mean that the post does not exist.
    if (!(error instanceof PlatformFailure) || error.class === 'transient') throw error;
    if (error.detail['status'] === 404) return undefined;
    if (error.class !== 'permission') throw error;
    await listOwn(call, { count: 1, start: 0 });
    return undefined;
  }
}
