import { json, type Reply } from '../../wire/reply.ts';
import { countsOf, daysBetween, type PostCounts } from '../../world/statistics.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { daysIn, metricsIn, rejectParts, statusOf } from './analytics-range.ts';
import { notPermitted, pinNotFound } from './errors.ts';
import { countsIn, dailyCountsOf, pinClicks } from './pin-statistics.ts';
import { pinterestOperation, type PinterestCall } from './pinterest-operation.ts';

const wholes = { app_types: 'ALL', split_field: 'NO_SPLIT' };

export const pinAnalyticsOperations: Operation[] = [
  pinterestOperation({
    name: 'pinterest.pin_analytics',
    method: 'GET',
    path: '/v5/pins/{pin_id}/analytics',
    scopes: ['boards:read', 'pins:read'],
    rate: 'org_analytics',
    query: ['start_date', 'end_date', 'metric_types', ...Object.keys(wholes)],
    handle: pinAnalytics,
  }),
];

type Count = (counts: PostCounts) => number;

const ofAll: Readonly<Record<string, Count>> = {
  IMPRESSION: ({ impressions }) => impressions,
  OUTBOUND_CLICK: ({ clicks }) => clicks,
  PIN_CLICK: pinClicks,
  SAVE: ({ saves }) => saves,
  SAVE_RATE: ({ saves, impressions }) => ratio(saves, impressions),
};
const ofImages: Readonly<Record<string, Count>> = {
  ...ofAll,
  USER_FOLLOW: ({ saves }) => Math.round(saves / 10),
  PROFILE_VISIT: ({ clicks }) => Math.round(clicks / 5),
};
/** Times are milliseconds. */
const ofVideos: Readonly<Record<string, Count>> = {
  ...ofAll,
  // More often than watched long enough for a view.
  VIDEO_START: ({ views }) => Math.round(views * 1.25),
  VIDEO_MRC_VIEW: ({ views }) => views,
  VIDEO_10S_VIEW: ({ views }) => Math.round(views / 2),
  QUARTILE_95_PERCENT_VIEW: ({ completed }) => completed,
  VIDEO_V50_WATCH_TIME: ({ watch_time_ms }) => watch_time_ms,
  VIDEO_AVG_WATCH_TIME: ({ watch_time_ms, views }) => ratio(watch_time_ms, views),
};
/** These have no values per day. */
const ofLife: Readonly<Record<string, Count>> = {
  TOTAL_COMMENTS: ({ comments }) => comments,
  TOTAL_REACTIONS: ({ likes }) => likes,
};

function pinAnalytics(call: PinterestCall, { world }: Sandbox): Reply {
  const pin = world.posts.get(call.params['pin_id']!);
  if (pin?.platform !== 'pinterest') throw pinNotFound();
  if (pin.account_id !== call.user.id) throw notPermitted('Not authorized to access board or Pin.');
  const days = daysIn(call, world);
  rejectParts(call, wholes);
  const kinds = pin.kind === 'video' ? ofVideos : ofImages;
  const requested = metricsIn(call, [...Object.keys(kinds), ...Object.keys(ofLife)]);
  const pick = (metrics: Readonly<Record<string, Count>>, counts: PostCounts) =>
    Object.fromEntries(requested.flatMap((name) => (Object.hasOwn(metrics, name) ? [[name, metrics[name]!(counts)]] : [])));
  const daily = dailyCountsOf(world, pin);
  return json(200, {
    all: {
      daily_metrics: daysBetween(world, Date.parse(days.start), Date.parse(`${days.end}T23:59:59Z`)).map((date) => {
        const counts = daily.get(date);
        return { data_status: counts ? statusOf(world, date) : 'BEFORE_PIN_CREATED', date, metrics: counts ? pick(kinds, counts) : {} };
      }),
      lifetime_metrics: pick(ofLife, countsOf(world, pin)),
      summary_metrics: pick(kinds, countsIn(daily, days)),
    },
  });
}

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
