import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '@fanfare/testing';
import { anImage, upload } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { publish, untilTerminal } from '../src/publish.ts';

// Statistics through the gateway, of every platform: callers get what the sandbox counts.

const PLATFORMS = ['facebook', 'instagram', 'linkedin', 'tiktok', 'x', 'pinterest', 'youtube', 'google_business'];

const REEL = path.join(import.meta.dirname, '../../sandbox/test/fixtures/reel.mp4');

let platform: Platform;
let business: string;
let caption: string;
beforeAll(async () => {
  platform = await borrowPlatform(PLATFORMS);
  business = `/api/businesses/${platform.tenant.business_id}`;
  caption = 'Counted bread';
});
afterAll(() => platform.stop());

/** `YYYY-MM-DD`, so many days ago. */
const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
const get = <T = Record<string, unknown>>(path: string, headers: Record<string, string> = {}) =>
  platform.api<T>('GET', business + path, undefined, headers);
const statsOf = (name: string, query = '', headers = {}) => get(`/integrations/${platform.integrations[name]}/stats${query}`, headers);

interface PostStats {
  results: {
    integration_id: string;
    platform: string;
    publish_id: string;
    stats: Record<string, unknown> | null;
    unavailable_reason: string | null;
  }[];
}

test.each(PLATFORMS)('the statistics of the accounts on %s', async (name) => {
  const { body: all } = await get<{ items: { id: string; platform: string; account_id: string }[] }>('/integrations?limit=100');
  const accounts = all.items.filter((one) => one.platform === name);
  expect(accounts).not.toEqual([]);
  for (const account of accounts) {
    const { status, body } = await get(`/integrations/${account.id}/stats`);
    expect(body).toMatchObject({ platform: name, fetched_at: expect.stringMatching(/Z$/), post_stats_hint: expect.any(String) });
    expect(status).toBe(200);
    if (account.account_id.includes(':person:')) {
      expect(body).toMatchObject({ followers: null, metrics: null, unavailable_reason: expect.stringMatching(/personal profiles/) });
      continue;
    }
    expect(body['followers']).toEqual(name === 'google_business' ? null : expect.any(Number));
    const hasSeries = !['x', 'tiktok'].includes(name);
    expect(Array.isArray(body['metrics'])).toBe(hasSeries);
    if (name === 'linkedin') expect(body['website_clicks']).toEqual(expect.any(Number));
    if (!hasSeries) expect(body['unavailable_reason']).toMatch(/current numbers/);
  }
});

test('a post on several platforms has an entry for each, with its own statistics', async () => {
  const restrict_publish_to = ['facebook', 'instagram', 'linkedin', 'x'];
  const id = await publish(platform, { caption, media_ids: [await anImage(platform)], restrict_publish_to });
  const post = await untilTerminal(platform, id);
  expect(post.publish_results.map((one) => [one.platform, one.status])).toEqual(
    post.publish_results.map((one) => [one.platform, 'success']),
  );
  const { status, body } = await get<PostStats>(`/posts/${id}/stats?history=true`);
  expect(status).toBe(200);
  expect([...new Set(body.results.map((one) => one.platform))].sort()).toEqual(restrict_publish_to);
  expect(body.results).toHaveLength(post.publish_results.length);
  for (const result of body.results) {
    if (result.unavailable_reason?.includes('personal profiles')) continue;
    expect(result).toMatchObject({ unavailable_reason: null, stats: { likes: expect.any(Number) }, history: [] });
    const listed = await get<{ posts: { publish_id: string; media_urls: string[] }[] }>(`/integrations/${result.integration_id}/posts`);
    const found = listed.body.posts.find(({ publish_id }) => publish_id === result.publish_id);
    expect(found).toMatchObject({ media_urls: [expect.stringMatching(/^https:/)] });
    const one = await get(`/integrations/${result.integration_id}/posts/${encodeURIComponent(result.publish_id)}/stats`);
    expect(one.body).toMatchObject({ publish_id: result.publish_id, caption: expect.stringContaining(caption), platform: result.platform });
  }
});

test.each([
  ['facebook', 'reel', async () => (await upload(platform, await readFile(REEL), 'reel.mp4', 'video/mp4')).id],
  ['instagram', 'story', () => anImage(platform)],
] as const)('a post on %s that is a %s is in the list of posts too, page by page', async (name, kind, aMedia) => {
  const ids: string[] = [];
  for (const options of [{ kind }, undefined]) {
    const media_ids = options ? [await aMedia()] : [await anImage(platform)];
    const platform_overrides = options ? [{ platform: name, options }] : [];
    const id = await publish(platform, { caption: `A ${kind} or not`, media_ids, platform_overrides, restrict_publish_to: [name] });
    ids.unshift((await untilTerminal(platform, id)).publish_results[0]?.publish_id ?? 'none');
  }
  const listed: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await get<{ posts: { publish_id: string }[]; next_cursor: string | null }>(
      `/integrations/${platform.integrations[name]}/posts?limit=1${cursor}`,
    );
    expect(status).toBe(200);
    listed.push(...body.posts.map(({ publish_id }) => publish_id));
    cursor = `&cursor=${body.next_cursor}`;
  } while (!ids.every((id) => listed.includes(id)) && cursor !== '&cursor=null');
  expect(listed).toEqual(expect.arrayContaining(ids));
  expect(new Set(listed).size).toBe(listed.length);
  const one = await get(`/integrations/${platform.integrations[name]}/posts/${ids[1]}/stats`);
  expect(one).toMatchObject({ status: 200, body: { publish_id: ids[1], platform: name } });
});

test('a read is shared and cached for some minutes; no-cache reads the platform again', async () => {
  const calls = async () =>
    (await platform.sandbox.requests({ platform: 'tiktok' })).filter(({ path }) => path.includes('/user/info')).length;
  const range = `?start_date=${day(22)}`;
  const before = await calls();
  const all = await Promise.all(Array.from({ length: 50 }, () => statsOf('tiktok', range)));
  expect(new Set(all.map(({ body }) => JSON.stringify(body['fetched_at']))).size).toBe(1);
  expect((await calls()) - before).toBe(1);
  await statsOf('tiktok', range);
  expect((await calls()) - before).toBe(1);
});

test.each([
  ['?start_date=2026-13-40', 'start_date'],
  [`?start_date=${day(3)}&end_date=${day(7)}`, 'start_date'],
  [`?end_date=${day(-3)}`, 'end_date'],
  [`?start_date=${day(3_650)}`, 'start_date'],
  ['?period=year', 'period'],
  ['?metrics=page_impressions', 'metrics'],
  ['?metrics=page_media_view,page_media_view', 'metrics'],
])('%s is rejected, with the reason and the permitted values', async (query, param) => {
  const { status, body } = await statsOf('facebook', query);
  expect(body).toMatchObject({ code: 'invalid_request', param, detail: expect.stringContaining(param) });
  expect(status).toBe(400);
});

test('cursors of another account, and posts of another account, are rejected', async () => {
  const first = await get<{ next_cursor: string | null }>(`/integrations/${platform.integrations['x']}/posts?limit=1`);
  const foreign = await get(`/integrations/${platform.integrations['tiktok']}/posts?cursor=${first.body.next_cursor ?? 'abc'}`);
  expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_request', param: 'cursor' } });
  expect((await get(`/integrations/${platform.integrations['x']}/posts/1234567890123456789/stats`)).status).toBe(404);
  const theirs = await platform.foreign.api(
    'GET',
    `/api/businesses/${platform.foreign.business_id}/integrations/${platform.integrations['x']}/stats`,
  );
  expect(theirs.status).toBe(404);
});

test('an unavailable platform, or one that limits us, is reported with its message and when to retry', async () => {
  await platform.sandbox.fault('facebook.page_insights', { type: 'status', status: 429 });
  const limited = await statsOf('facebook', `?start_date=${day(21)}`);
  expect(limited).toMatchObject({ status: 502, body: { code: 'UPSTREAM_PROVIDER_ERROR' } });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a token that a platform rejects is refreshed; if it is revoked, the account has to be reconnected', async () => {
  await platform.sandbox.fault('tiktok.get_user_info', {
    type: 'status',
    status: 401,
    body: { error: { code: 'access_token_invalid', message: 'The access token is invalid' } },
  });
  expect((await statsOf('tiktok', `?start_date=${day(20)}`)).status).toBe(200);
});

test('reports as JSON and as CSV', async () => {
  const summary = await get<{ total: { current: { posts: number } } }>(`/analytics/summary?end_date=${day(1)}`);
  expect(summary.status).toBe(200);
  expect(summary.body.total.current).toMatchObject({ posts: expect.any(Number), engagement_rate: null });
  expect((await get('/analytics/posts?metric=likes')).body).toMatchObject({ items: expect.any(Array) });
  expect((await get('/analytics/best-times')).body).toMatchObject({ is_enough: false, time_zone: 'UTC', hours: [] });
  const csv = await fetch(`${platform.baseUrl}${business}/analytics/summary`, {
    headers: { authorization: `Bearer ${platform.tenant.api_key}`, accept: 'text/csv' },
  });
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect((await csv.text()).split('\r\n')[0]).toMatch(/^platform,accounts,start_date,end_date,followers,/);
});

test('an account that is disconnected has no statistics', async () => {
  expect((await platform.api('DELETE', `${business}/integrations/${platform.integrations['x']}`)).status).toBe(200);
  await eventually(async () => (await statsOf('x')).status === 409);
});
