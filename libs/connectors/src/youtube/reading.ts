import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, stringAt, webUrl } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import { dayIn, endOfDay } from '../reading/day-range.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, scaled, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { namedIn, notProvided, readMetrics, type Suspects } from '../reading/read-metrics.ts';
import { readPartly } from '../reading/read-partly.ts';
import { type PartsRead, readParts } from '../reading/read-parts.ts';
import { requiredList } from '../reading/required.ts';
import { createdWithin, isPast } from '../reading/created-within.ts';
import type { DayRange, PlatformPost, PostStatistics, ReadCall, Reading, Series, Shares } from '../reading/reading.ts';
import { sharesOf } from '../reading/shares.ts';
import { rules } from './errors.ts';
import { ANALYTICS_URL, API_URL } from './limits.ts';
import { readingRules } from './reading-rules.ts';

/** Averages of days do not add up. */
const AVERAGES = ['averageViewDuration', 'averageViewPercentage'];
/** Of YouTube itself. */
const FIRST_DAY = '2005-02-14';
const VIDEO_PARTS = 'snippet,statistics,contentDetails';
const GENDERS: Readonly<Record<string, string>> = { female: 'FEMALE', male: 'MALE', user_specified: 'UNKNOWN' };

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call, wanted) {
    const channel = await readChannel(call);
    const { read, reasons } = readPartly('YouTube');
    const { found, missing } = await read(readDays(call, wanted, wanted.metrics), NO_DAYS);
    const isHidden = at(channel, 'statistics', 'hiddenSubscriberCount') === true;
    const age = await read(
      viewerShares(call, wanted, 'ageGroup', (group) => group.replace(/^age/, '').replace(/-$/, '+')),
      null,
    );
    const gender = await read(
      viewerShares(call, wanted, 'gender', (name) => GENDERS[name] ?? 'UNKNOWN'),
      null,
    );
    const country = await read(countryShares(call, wanted), null);
    return {
      ...UNKNOWN_TOTALS,
      followers: isHidden ? null : countAt(channel, 'statistics', 'subscriberCount'),
      postsCount: countAt(channel, 'statistics', 'videoCount'),
      audience: { ...UNKNOWN_AUDIENCE, age, gender, country },
      series: wanted.metrics.flatMap((name): Series[] => {
        const days = found.get(name)?.flat();
        return days === undefined ? [] : [{ name, period: 'day', values: days }];
      }),
      rawMetrics: {
        ...Object.fromEntries(
          [...found]
            .filter(([name]) => !AVERAGES.includes(name) && !missing.has(name))
            .map(([name, parts]) => [name, sumOfKnown(parts.flat().map(({ value }) => value))]),
        ),
        viewCount: countAt(channel, 'statistics', 'viewCount'),
      },
      unavailable: [
        ...reasons,
        ...notProvided('YouTube', missing),
        ...(reasons.size === 0 && age === null && gender === null
          ? ['YouTube provides the age and gender of viewers only if there are enough of them.']
          : []),
      ],
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const playlistId = stringAt(await readChannel(call), 'contentDetails', 'relatedPlaylists', 'uploads');
    if (playlistId === undefined) return { posts: [], totalCount: null, unavailable: 'This YouTube account has no channel.' };
    const query = { part: 'contentDetails', playlistId, maxResults: pageSize, pageToken: cursor };
    const page = await googleCall(call, { method: 'GET', url: `${API_URL}/playlistItems`, query }, rules);
    const ids = requiredList(page, 'items').flatMap((item) => stringAt(item, 'contentDetails', 'videoId') ?? []);
    const videos = ids.length === 0 ? [] : await readVideos(call, ids);
    const posts = videos.filter(createdWithin({ from, until }));
    // Newest first; the list has no filter by time.
    const isOver = isPast(videos, { from });
    const next = isOver ? undefined : stringAt(page, 'nextPageToken');
    const totalCount = from === undefined && until === undefined ? countAt(page, 'pageInfo', 'totalResults') : null;
    return { posts, totalCount, ...(next !== undefined && { next }) };
  },

  async readPosts(call, publishIds) {
    const ids = idsLike(/^[\w-]+$/, publishIds);
    return ids.length === 0 ? [] : readVideos(call, ids);
  },
};

const NO_DAYS: PartsRead<Series['values']> = { found: new Map(), missing: new Map() };

const readDays = (call: ReadCall, range: DayRange, names: readonly string[]): Promise<PartsRead<Series['values']>> =>
  readParts(range, readingRules.daysPerCall, names, (part, requested) =>
    readMetrics(
      requested,
      (some) => report(call, part, { metrics: some.join(','), dimensions: 'day', sort: 'day' }).then(byMetric),
      suspectMetrics,
    ),
  );

const NOT_SUPPORTED = /query is not supported/i;

/** "Unknown identifier (…) given in field parameters.metrics." Of a metric that it knows, but no longer for this report, YouTube says that the query is not supported. */
const suspectMetrics: Suspects = ({ message }, names) =>
  NOT_SUPPORTED.test(message) ? names : /parameters\.metrics/.test(message) ? namedIn(message, names) : [];

async function readChannel(call: Call): Promise<unknown> {
  const query = { part: 'statistics,contentDetails', mine: 'true' };
  const response = await googleCall(call, { method: 'GET', url: `${API_URL}/channels`, query }, rules);
  // Of a Google account without a channel there are no items, but there is a count of them.
  if (at(response, 'pageInfo') === undefined) requiredList(response, 'items');
  return listAt(response, 'items')[0];
}

/** A report's rows, each by the names of its columns. */
async function report(call: Call, { start, end }: DayRange, query: Readonly<Record<string, string>>): Promise<Record<string, unknown>[]> {
  const range = { ids: 'channel==MINE', startDate: start, endDate: end };
  const response = await googleCall(call, { method: 'GET', url: `${ANALYTICS_URL}/reports`, query: { ...range, ...query } }, rules);
  const columns = requiredList(response, 'columnHeaders').map((header) => stringAt(header, 'name') ?? '');
  return listAt(response, 'rows').map((row) => Object.fromEntries(columns.map((name, index) => [name, at(row, index)])));
}

function byMetric(rows: readonly Record<string, unknown>[]): ReadonlyMap<string, Series['values']> {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'day');
  const days = rows.flatMap((row) => {
    const day = dayIn(row['day']);
    return day === undefined ? [] : [{ row, endTime: endOfDay(day, readingRules.timeZone) }];
  });
  return new Map(names.map((name) => [name, days.map(({ row, endTime }) => ({ endTime, value: countAt(row, name) }))]));
}

/** YouTube has no demographics of small audiences: then there are no rows. */
async function viewerShares(call: Call, range: DayRange, dimension: string, nameOf: (group: string) => string): Promise<Shares> {
  const rows = await unlessRejected(report(call, range, { metrics: 'viewerPercentage', dimensions: dimension }));
  return sharesOf(rows.map((row) => [nameOf(String(row[dimension])), countAt(row, 'viewerPercentage')] as const));
}

async function countryShares(call: Call, range: DayRange): Promise<Shares> {
  const rows = await unlessRejected(report(call, range, { metrics: 'views', dimensions: 'country' }));
  return sharesOf(rows.map((row) => [String(row['country']), countAt(row, 'views')] as const));
}

const unlessRejected = (reading: Promise<Record<string, unknown>[]>) =>
  reading.catch((error: unknown) => {
    if (error instanceof PlatformFailure && error.class === 'validation' && NOT_SUPPORTED.test(error.message)) return [];
    throw error;
  });

async function readVideos(call: ReadCall, ids: readonly string[]): Promise<readonly PlatformPost[]> {
  const query = { part: VIDEO_PARTS, id: ids.join(',') };
  const videos = requiredList(await googleCall(call, { method: 'GET', url: `${API_URL}/videos`, query }, rules), 'items').filter(
    (video) => stringAt(video, 'snippet', 'channelId') === call.account.accountId,
  );
  const found = videos.flatMap((video) => stringAt(video, 'id') ?? []);
  const watched = found.length === 0 ? new Map<string, Record<string, unknown>>() : await readWatched(call, found);
  return videos.flatMap((video) => toPost(video, watched));
}

/** Statistics of videos that only the reports provide, by id. Missing for the newest videos, because reports are two to three days late. */
async function readWatched(call: ReadCall, ids: readonly string[]): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const rows = await unlessRejected(
    report(
      call,
      { start: FIRST_DAY, end: call.today },
      {
        dimensions: 'video',
        filters: `video==${ids.join(',')}`,
        metrics: 'shares,averageViewDuration,estimatedMinutesWatched,averageViewPercentage',
      },
    ),
  );
  return new Map(rows.map((row) => [String(row['video']), row]));
}

function toPost(video: unknown, watched: ReadonlyMap<string, Record<string, unknown>>): PlatformPost[] {
  const publishId = stringAt(video, 'id');
  if (publishId === undefined) return [];
  const snippet = at(video, 'snippet');
  const published = new Date(stringAt(snippet, 'publishedAt') ?? NaN);
  const thumbnails = at(snippet, 'thumbnails');
  return [
    {
      publishId,
      createdAt: Number.isNaN(published.getTime()) ? null : published,
      caption: stringAt(snippet, 'description') ?? '',
      title: stringAt(snippet, 'title') ?? '',
      permalinkUrl: `https://www.youtube.com/watch?v=${publishId}`,
      thumbnailUrl: webUrl(stringAt(thumbnails, 'high', 'url') ?? stringAt(thumbnails, 'default', 'url')) ?? '',
      mediaUrls: [],
      altText: '',
      mediaType: 'video',
      type: 'video',
      stats: statisticsOf(video, watched.get(publishId)),
    },
  ];
}

function statisticsOf(video: unknown, watched: Record<string, unknown> | undefined): PostStatistics {
  const percentage = countAt(watched, 'averageViewPercentage');
  return {
    ...UNKNOWN_STATISTICS,
    likes: countAt(video, 'statistics', 'likeCount'),
    commentCount: countAt(video, 'statistics', 'commentCount'),
    views: countAt(video, 'statistics', 'viewCount'),
    shares: countAt(watched, 'shares'),
    videoDurationMs: durationMs(stringAt(video, 'contentDetails', 'duration')),
    avgWatchTimeMs: scaled(countAt(watched, 'averageViewDuration'), 1_000),
    totalWatchTimeMs: scaled(countAt(watched, 'estimatedMinutesWatched'), 60_000),
    // A Short that loops is watched more than once.
    completionRate: percentage === null ? null : Math.min(1, percentage / 100),
  };
}

/** ISO 8601: `PT1H2M3S`. A livestream has none. */
function durationMs(text: string | undefined): number | null {
  const [, days, hours, minutes, seconds] = /^P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text ?? '') ?? [];
  if ([days, hours, minutes, seconds].every((part) => part === undefined)) return null;
  return (((Number(days ?? 0) * 24 + Number(hours ?? 0)) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1_000;
}
