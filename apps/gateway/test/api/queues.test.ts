import { newId } from '@fanfare/runtime';
import { aPost } from '../values.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let queues: string;
let posts: string;
beforeAll(async () => {
  gateway = await startGateway();
  queues = `/api/businesses/${gateway.businessId}/queues`;
  posts = `/api/businesses/${gateway.businessId}/posts`;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
});

const SLOTS = [{ days: ['mon', 'fri'], time: '09:00' }];
const lastRequest = (method: string) => gateway.services.calls.findLast((call) => call.method === method)?.request;
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.call(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), 'service-version': '2026-08-06', ...headers },
  });
const created = async (more = {}) => {
  const response = await send('POST', queues, { name: 'Daily', slots: SLOTS, ...more });
  return (await response.json()) as { id: string };
};

it('creates a queue and returns it, with its location', async () => {
  const response = await send('POST', queues, { name: 'Daily', slots: SLOTS, timezone: null, restrict_publish_to: ['Twitter'] });
  const body = (await response.json()) as { id: string };
  expect([response.status, response.headers.get('location')]).toEqual([201, `${BASE_URL}${queues}/${body.id}`]);
  expect(body).toEqual({
    id: body.id,
    business_id: gateway.businessId,
    name: 'Daily',
    slots: SLOTS,
    timezone: 'UTC',
    paused: false,
    is_default: false,
    restrict_publish_to: ['x'],
    post_count: 0,
    next_publish_time: null,
    created_at: '2026-08-06T09:30:00.000Z',
    updated_at: '2026-08-06T09:30:00.000Z',
  });
  expect(await (await send('GET', `${queues}/${body.id}`)).json()).toMatchObject({ ...body, self: `${BASE_URL}${queues}/${body.id}` });
  expect(await (await send('GET', queues)).json()).toMatchObject({ items: expect.arrayContaining([body]) as unknown, next: 'more' });
});

it.each([
  [{ slots: SLOTS }, 400, 'missing_field', 'name'],
  [{ name: 'Daily' }, 400, 'missing_field', 'slots'],
  [{ name: 'Daily', slots: [] }, 422, 'validation_failed', 'slots'],
  [{ name: 'Daily', slots: [{ days: ['mon'], time: '25:00' }] }, 422, 'validation_failed', 'slots.0.time'],
  [{ name: 'Daily', slots: [{ days: ['monday'], time: '09:00' }] }, 422, 'validation_failed', 'slots.0.days.0'],
  [{ name: 'Daily', slots: SLOTS, restrict_publish_to: [] }, 422, 'validation_failed', 'restrict_publish_to'],
])('rejects %j', async (body, status, code, param) => {
  await expectProblem(
    await gateway.call(queues, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    {
      status,
      code,
      param,
    },
  );
  expect(lastRequest('createQueue')).toBeUndefined();
});

it('passes on the fields of an update, and the revision of If-Match', async () => {
  const { id } = await created();
  const response = await send('PATCH', `${queues}/${id}`, { paused: true, timezone: null }, { 'if-match': '"1.2026-08-06"' });
  expect([response.status, await response.json()]).toMatchObject([200, { id, paused: true }]);
  expect(lastRequest('updateQueue')).toMatchObject({
    queueId: id,
    updateMask: expect.arrayContaining(['paused', 'timezone']) as string[],
    paused: true,
    timezone: undefined,
    expectedRevisions: [1],
  });
});

it('says what becomes of the posts of a deleted queue', async () => {
  const { id } = await created();
  const other = newId();
  for (const [query, posts, moveToQueueId] of [
    ['', 'POSTS_OF_DELETED_QUEUE_UNSPECIFIED', ''],
    ['?posts=unschedule', 'POSTS_OF_DELETED_QUEUE_UNSCHEDULE', ''],
    [`?posts=move_to:${other}`, 'POSTS_OF_DELETED_QUEUE_MOVE', other],
  ] as const) {
    expect(await (await send('DELETE', `${queues}/${id}${query}`)).json()).toEqual({ status: 'deleted' });
    expect(lastRequest('deleteQueue')).toMatchObject({ queueId: id, posts, moveToQueueId });
  }
  for (const query of ['?posts=delete', '?posts=move_to:', '?posts=unschedule&posts=unschedule'])
    await expectProblem(await gateway.call(`${queues}/${id}${query}`, { method: 'DELETE' }), {
      status: 400,
      code: 'invalid_value',
      param: 'posts',
    });
});

it.each([
  [{}, { queueId: undefined, position: undefined }],
  [{ position: 'first' }, { position: 1 }],
  [
    { position: 'last', queue_id: 'Q' },
    { queueId: 'Q', position: undefined },
  ],
  [{ position: 7 }, { position: 7 }],
])('puts a post into a queue: %j', async (body, request) => {
  gateway.services.posts.set('p1', aPost({ id: 'p1', businessId: gateway.businessId, revision: 4 }));
  const response = await send('POST', `${posts}/p1/queue`, body);
  expect([response.status, await response.json()]).toMatchObject([
    200,
    {
      id: 'p1',
      status: 'SCHEDULED',
      scheduled_publish_time: null,
      queue: { position: expect.any(Number) as number, estimated_publish_time: null },
    },
  ]);
  expect(lastRequest('queuePost')).toMatchObject({ postId: 'p1', ...request });
});

it.each([
  ['500 slots on one day', Array.from({ length: 500 }, () => ({ days: ['mon'], time: '09:00' })), 500],
  [
    '25 slots on seven days',
    Array.from({ length: 25 }, () => ({ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], time: '09:00' })),
    175,
  ],
])('rejects %s with the same error, which names the limit', async (_what, slots, count) => {
  const { id } = await created();
  for (const [method, path] of [
    ['POST', queues],
    ['PATCH', `${queues}/${id}`],
  ] as const) {
    const response = await gateway.call(path, {
      method,
      body: JSON.stringify({ name: 'Daily', slots }),
      headers: { 'content-type': 'application/json' },
    });
    const problem = await expectProblem(response, { status: 422, code: 'validation_failed', param: 'slots' });
    expect(problem).toMatchObject({
      detail: `slots must have at most 168 slots in a week, counting each day and time; these are ${count}.`,
      errors: [{ param: 'slots' }],
    });
  }
});

it('names the one query parameter that it does not know', async () => {
  const problem = await expectProblem(await gateway.call(`${queues}?color=red`), {
    status: 422,
    code: 'validation_failed',
    param: 'color',
  });
  expect(problem).toMatchObject({ detail: 'Unknown query parameter: "color".' });
});

it.each([0, -1, 1.5, 'middle', null])('rejects the position %j', async (position) => {
  const body = JSON.stringify({ position });
  const response = await gateway.call(`${posts}/p1/queue`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  await expectProblem(response, { status: 422, code: 'validation_failed', param: 'position' });
});

it('creates posts in queues, and lists and updates them', async () => {
  const queue_id = newId();
  await send('POST', posts, { caption: 'Bread', queue_id });
  expect(lastRequest('createPost')).toMatchObject({
    queueId: queue_id,
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: undefined,
  });
  await send('GET', `${posts}?queue_id=${queue_id}`);
  expect(lastRequest('listPosts')).toMatchObject({ queueId: queue_id });
  gateway.services.posts.set('p1', aPost({ id: 'p1', businessId: gateway.businessId }));
  await send('PATCH', `${posts}/p1`, { queue_id });
  expect(lastRequest('updatePost')).toMatchObject({ updateMask: ['queue_id'], queueId: queue_id });
});

it('changes the ETag of a post with its place in a queue', async () => {
  const etag = async (position?: number) => {
    const queue = position === undefined ? undefined : { queueId: 'q1', position, estimatedPublishTime: undefined };
    gateway.services.posts.set('p1', aPost({ id: 'p1', businessId: gateway.businessId, queue }));
    return (await send('GET', `${posts}/p1`)).headers.get('etag');
  };
  expect(new Set([await etag(), await etag(1), await etag(2), await etag(2)]).size).toBe(3);
});

it('suggests slots in the time zone of the queue, by the best hours', async () => {
  const { id } = await created({ timezone: 'Asia/Tokyo', restrict_publish_to: ['instagram'] });
  const suggest = (body: object) => send('POST', `${queues}/${id}/suggest-slots`, body);
  expect(await (await suggest({})).json()).toEqual({ timezone: 'Asia/Tokyo', is_enough: false, posts: 0, least_posts: 20, slots: [] });
  expect(lastRequest('getBestTimes')).toEqual({ timeZone: 'Asia/Tokyo', platform: 'instagram' });
  gateway.services.bestHours.push(
    { weekday: 4, hour: 9, posts: 5, score: 2 },
    { weekday: 1, hour: 9, posts: 5, score: 1.5 },
    { weekday: 7, hour: 18, posts: 5, score: 1.7 },
    { weekday: 2, hour: 3, posts: 5, score: 0.5 },
    { weekday: 3, hour: 12, posts: 1, score: undefined },
  );
  expect(await (await suggest({ count: 3, platform: 'x' })).json()).toMatchObject({
    is_enough: true,
    slots: [
      { days: ['mon', 'thu'], time: '09:00' },
      { days: ['sun'], time: '18:00' },
    ],
  });
  expect(lastRequest('getBestTimes')).toEqual({ timeZone: 'Asia/Tokyo', platform: 'x' });
  await expectProblem(await gateway.call(`${queues}/${newId()}/suggest-slots`, { method: 'POST' }), {
    status: 404,
    code: 'resource_not_found',
  });
});
