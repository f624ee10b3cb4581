import { connectPage, runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let page: Awaited<ReturnType<typeof connectPage>>;
beforeAll(async () => {
  sandbox = await runningSandbox();
  page = await connectPage(sandbox, 'facebook', 'pages_show_list,pages_read_engagement,pages_manage_posts,read_insights');
});
afterAll(() => sandbox.stop());

const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
const insights = (query: Record<string, string>) =>
  page.get(`${page.pageId}/insights`, { period: 'day', since: day(3), until: day(0), ...query });

it('counts each day of a page, the same each time', async () => {
  const first = await insights({ metric: 'page_media_view,page_views_total' });
  expect(first.status).toBe(200);
  expect(first.body.data.map(({ name, values }: { name: string; values: unknown[] }) => [name, values.length])).toEqual([
    ['page_media_view', 3],
    ['page_views_total', 3],
  ]);
  expect(first.body.data[0].values[0]).toEqual({ value: expect.any(Number), end_time: expect.stringMatching(/T0[78]:00:00\+0000$/) });
  expect((await insights({ metric: 'page_media_view,page_views_total' })).body).toEqual(first.body);
});

it.each([
  ['a metric that Meta has removed', { metric: 'page_media_view,page_impressions' }, 'must be a valid insights metric'],
  ['an unknown period', { metric: 'page_media_view', period: 'year' }, 'period must be one of'],
  ['more than 90 days', { metric: 'page_media_view', since: day(200), until: day(100) }, 'more than 90 days'],
  ['an end before the start', { metric: 'page_media_view', since: day(1), until: day(2) }, 'until must be after since'],
])('rejects %s', async (_what, query, message) => {
  expect(await insights(query)).toMatchObject({ status: 400, body: { error: { code: 100, message: expect.stringContaining(message) } } });
});

it('counts a post, more as it grows older, and returns values that a test sets', async () => {
  const { id } = (await page.post(`${page.pageId}/feed`, { message: 'Fresh bread' })).body;
  const fields = 'id,shares,reactions.limit(0).summary(true),insights.metric(post_media_view,post_video_views){name,values}';
  const read = async () => (await page.get(id, { fields })).body;
  const names = (await read()).insights.data.map(({ name }: { name: string }) => name);
  // It is not a video.
  expect(names).toEqual(['post_media_view']);
  sandbox.clock.aheadMs = 36 * 3_600_000;
  const grown = await read();
  expect(grown.insights.data[0].values[0].value).toBeGreaterThan(0);
  expect((await sandbox.control(`/statistics/${id}`, { statistics: { likes: 77, shares: 3 } }, 'PUT')).status).toBe(200);
  expect(await read()).toMatchObject({ shares: { count: 3 }, reactions: { summary: { total_count: 77 } } });
  expect((await sandbox.control('/statistics/nobody', { statistics: { likes: 1 } }, 'PUT')).status).toBe(404);
});

it('rejects statistics that it does not show, and lists those that it does', async () => {
  const put = (statistics: object, day?: string) => sandbox.control(`/statistics/${page.pageId}`, { statistics, day }, 'PUT');
  expect(await put({ fame: 1 })).toMatchObject({
    status: 422,
    body: { error: { message: 'fame: on facebook, an account has followers' } },
  });
  expect(await put({ followers: 1 }, '2026-11-01')).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('profile_views') } },
  });
});

it('has no insights of pages with fewer than 100 likes', async () => {
  const read = async () =>
    (await page.get(`${page.pageId}/insights`, { metric: 'page_media_view', period: 'day', since: day(3), until: day(0) })).body.data;
  expect(await read()).toHaveLength(1);
  await sandbox.control(`/statistics/${page.pageId}`, { statistics: { followers: 139 } }, 'PUT');
  expect((await page.get(page.pageId, { fields: 'fan_count' })).body).toMatchObject({ fan_count: 99 });
  expect(await read()).toEqual([]);
  await sandbox.control(`/statistics/${page.pageId}`, { statistics: { followers: 140 } }, 'PUT');
  expect(await read()).toHaveLength(1);
});

it('returns no insights to an app without the permission', async () => {
  const other = await connectPage(sandbox);
  const response = await other.get(`${other.pageId}/insights`, { metric: 'page_media_view', period: 'day', since: day(3), until: day(0) });
  expect(response).toMatchObject({ status: 403, body: { error: { code: 200, message: expect.stringContaining('read_insights') } } });
});
