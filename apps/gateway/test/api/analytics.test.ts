import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { FORMULA, UNREADABLE } from '../fakes/fake-analytics.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let account: string;
beforeAll(async () => {
  gateway = await startGateway();
  account = `/api/businesses/${gateway.businessId}/integrations/${newId()}`;
});
afterAll(() => gateway.stop());

const get = (path: string, headers: Record<string, string> = {}) => gateway.call(path, { headers });
const lastRequest = () => gateway.services.calls.at(-1)?.request;

it('null means unknown, and zero is zero', async () => {
  expect(await (await get(`${account}/stats`)).json()).toMatchObject({
    followers: 0,
    following: null,
    audience_age_pct: null,
    metrics: null,
    unavailable_reason: 'No numbers over time.',
  });
});

it('returns the stored days of an account, also as a table', async () => {
  const path = `${account}/stats/history?start_date=2026-08-01`;
  expect(await (await get(path)).json()).toMatchObject({ days: [{ date: '2026-08-01', followers: 0, impressions: null }] });
  expect(lastRequest()).toMatchObject({ start: '2026-08-01', end: '' });
  expect(await (await get(path, { accept: 'text/csv' })).text()).toMatch(/^date,followers,.*\r\n2026-08-01,0,,/);
});

it('passes on the query, and whether to read the platform again', async () => {
  await get(`${account}/stats?start_date=2026-08-01&end_date=2026-08-05&period=day&metrics=reach,%20views`, {
    'cache-control': 'max-age=0, no-cache',
  });
  const dates = { start: '2026-08-01', end: '2026-08-05', period: 'day' };
  expect(lastRequest()).toMatchObject({ ...dates, metrics: ['reach', 'views'], isFresh: true });
  await get(`${account}/stats`);
  expect(lastRequest()).toMatchObject({ start: '', end: '', period: '', metrics: [], isFresh: false });
});

it.each([
  ['2026-08-01T09:30:00%2B02:00', '2026-08-01T07:30:00.000Z'],
  ['1754037000', '2025-08-01T08:30:00.000Z'],
  ['2026-08-01', '2026-08-01T00:00:00.000Z'],
])('lists posts since %s', async (given, meant) => {
  await get(`${account}/posts?start_date=${given}`);
  expect(lastRequest()).toMatchObject({ start: new Date(meant), end: undefined });
});

it.each(['yesterday', '2026-02-30', '', '1'])('rejects start_date=%s', async (given) => {
  await expectProblem(await get(`${account}/posts?start_date=${given}`), { status: 400, code: 'invalid_request', param: 'start_date' });
});

it('an account that must be reconnected has a link to do so', async () => {
  gateway.services.failures.set('getAccountStats', new DomainError('SOCIAL_TOKEN_EXPIRED', 'Reconnect this account.'));
  const response = await get(`${account}/stats`);
  expect([response.status, await response.json()]).toMatchObject([
    401,
    { code: 'SOCIAL_TOKEN_EXPIRED', reconnect_url: expect.stringMatching(/^http/) as string },
  ]);
});

it('a rate limit of the platform sets Retry-After', async () => {
  gateway.services.failures.set('listPlatformPosts', new DomainError('UPSTREAM_PROVIDER_ERROR', 'Slow down.', { retryAfterSeconds: 40 }));
  const response = await get(`${account}/posts`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([502, '40']);
});

it('a table has a row for each post, and calculates nothing', async () => {
  const response = await get(`${account}/posts`, { accept: 'text/csv' });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  // The page has a successor.
  expect(response.headers.get('link')).toMatch(/^<http[^>]*\/posts\?cursor=[^>]+>; rel="next"$/);
  const [names, row] = (await response.text()).split('\r\n');
  expect(names).toMatch(/^publish_id,created_time,platform,type,caption,permalink_url,likes,/);
  expect(row).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
  // Unknown is empty; zero is zero.
  expect(row).toMatch(/,0,,,/);
});

it('a table without data says why in its rows, for an account and for a post', async () => {
  const unreadable = `/api/businesses/${gateway.businessId}/integrations/${UNREADABLE}`;
  const rowsOf = async (path: string) =>
    (await (await get(`${unreadable}/posts${path}`, { accept: 'text/csv' })).text()).trim().split('\r\n');
  const [names = '', ...rows] = await rowsOf('');
  expect(names).toMatch(/,unavailable_reason$/);
  expect(rows).toEqual([`${','.repeat(names.split(',').length - 1)}No list.`]);
  expect((await rowsOf('/1/stats'))[1]).toMatch(/^1,.*,No numbers\.$/);
});

it('negative numbers in a table are not escaped', async () => {
  const table = await (await get(`/api/businesses/${gateway.businessId}/analytics/summary`, { accept: 'text/csv' })).text();
  const [, current, previous] = table.split('\r\n');
  expect(current).toMatch(/^x,1,2026-07-01,2026-07-31,,-5,,,,0,/);
  // Other accounts, and posts that are deleted already.
  expect(previous).toMatch(/^x,0,2026-05-31,2026-06-30,,-5,,,,,/);
});

it.each(['json', 'text/html, */*', undefined])('Accept: %s returns JSON', async (accept) => {
  const response = await get(`/api/businesses/${gateway.businessId}/analytics/best-times`, accept === undefined ? {} : { accept });
  expect(response.headers.get('content-type')).toBe('application/json');
});

it.each([
  ['metric=fame', 'metric', 'invalid_request'],
  ['metric=likes&metric=views', 'metric', 'invalid_request'],
  ['metadata_value=summer', 'metadata_key', 'invalid_request'],
  ['media_type=hologram', 'media_type', 'invalid_value'],
  ['platform=myspace', 'platform', 'invalid_value'],
])('a ranking rejects %s', async (query, param, code) => {
  await expectProblem(await get(`/api/businesses/${gateway.businessId}/analytics/posts?${query}`), { status: 400, code, param });
});
