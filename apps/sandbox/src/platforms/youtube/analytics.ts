import { json, type Reply } from '../../wire/reply.ts';
import type { World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { insufficientScopes } from '../google/errors.ts';
import { badReport, forbiddenReport } from './errors.ts';
import { hosts, limits, scopesFor } from './limits.ts';
import { isMetric, metricsOf, rowsOf, type Report } from './reports.ts';
import { youtubeOperation, type YoutubeCall } from './youtube-operation.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const day = /^\d{4}-\d{2}-\d{2}$/;

export const analyticsOperations: Operation[] = [
  youtubeOperation({
    name: 'youtube.report',
    method: 'GET',
    path: '/v2/reports',
    hosts: [hosts.analytics],
    // The Analytics API has a quota of its own, per minute.
    cost: null,
    scopes: scopesFor.analytics,
    query: ['ids', 'startDate', 'endDate', 'metrics', 'dimensions', 'filters', 'sort', 'maxResults', 'startIndex'],
    handle: readReport,
  }),
];

/** The dimension is a column too, and the first one. */
function readReport(call: YoutubeCall, { world }: Sandbox): Reply {
  if (!scopesFor.read.some((scope) => call.grant.scopes.includes(scope))) throw insufficientScopes();
  const { report, columns } = reportOf(call, world);
  const dimension = report.dimension ? [{ name: report.dimension, columnType: 'DIMENSION', dataType: 'STRING' }] : [];
  const metrics = report.metrics.map((name) => ({ name, columnType: 'METRIC', dataType: columns[name] }));
  return json(200, {
    kind: 'youtubeAnalytics#resultTable',
    columnHeaders: [...dimension, ...metrics],
    rows: rowsOf(world, call.channel, report),
  });
}

function reportOf({ query, channel }: YoutubeCall, world: World) {
  for (const name of ['ids', 'startDate', 'endDate', 'metrics']) {
    if (!query.get(name)) throw badReport(`The request is missing a required parameter: ${name}.`, 'required');
  }
  if (query.get('ids') !== 'channel==MINE' && query.get('ids') !== `channel==${channel.id}`) throw forbiddenReport();
  const startDate = dayIn(query, 'startDate');
  const endDate = dayIn(query, 'endDate');
  if (endDate < startDate) throw badReport('Invalid query. The end date must not be before the start date.');
  const dimension = query.get('dimensions');
  const metrics = namesIn(query, 'metrics');
  const columns = metricsOf(dimension);
  const unknown = metrics.find((name) => !isMetric(name));
  if (unknown !== undefined) throw badReport(`Unknown identifier (${unknown}) given in field parameters.metrics.`);
  if (!columns || metrics.some((name) => !Object.hasOwn(columns, name))) throw unsupported();
  const sort = query.get('sort');
  if (sort !== null && ![dimension, ...metrics].includes(sort.replace(/^-/, ''))) throw badReport(`Invalid sort: ${sort}.`);
  const range = { startDate, endDate: earlier(endDate, lastDay(world)) };
  const report: Report = { dimension, metrics, sort, ...range, videos: videosIn(query, dimension) };
  return { report, columns };
}

function dayIn(query: URLSearchParams, name: string): string {
  const value = query.get(name)!;
  if (!day.test(value) || Number.isNaN(Date.parse(value)))
    throw badReport(`Invalid value for parameter ${name}: ${value}.`, 'invalidParameter');
  return value;
}

/** A report by video needs a filter of videos, or lists the most watched ones. */
function videosIn(query: URLSearchParams, dimension: string | null): string[] | null {
  const filter = query.get('filters');
  if (filter === null) {
    const most = Number(query.get('maxResults') ?? NaN);
    const isTop = query.get('sort')?.startsWith('-') === true && Number.isInteger(most) && most >= 1 && most <= limits.topVideos;
    if (dimension === 'video' && !isTop) throw unsupported();
    return null;
  }
  const [, ids] = /^video==([\w,-]+)$/.exec(filter) ?? [];
  if (ids === undefined) throw unsupported();
  const videos = ids.split(',');
  if (videos.length > limits.idsPerFilter) throw badReport(`Too many values in the filter video: at most ${limits.idsPerFilter}.`);
  return videos;
}

const namesIn = (query: URLSearchParams, name: string) => (query.get(name) ?? '').split(',');
const earlier = (one: string, other: string) => (one < other ? one : other);

/** Reports are two days behind. */
const lastDay = (world: World) => new Date(world.now() - 2 * DAY_MS).toISOString().slice(0, 10);

const unsupported = () =>
  badReport(
    'The query is not supported. Check the documentation at https://developers.google.com/youtube/analytics/v2/available_reports for supported queries.',
  );
