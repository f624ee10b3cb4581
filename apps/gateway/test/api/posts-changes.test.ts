import { PublishResult, Removal, type RemovalStatus } from '@fanfare/contracts/content';
import { aPost } from '../values.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let posts: string;
let one: string;
beforeAll(async () => {
  gateway = await startGateway();
  posts = `/api/businesses/${gateway.businessId}/posts`;
  one = `${posts}/p1`;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
  gateway.services.posts.clear();
  gateway.services.posts.set('p1', aPost({ id: 'p1', businessId: gateway.businessId, caption: 'Bread', revision: 4 }));
});

const lastRequest = (method: string) => gateway.services.calls.findLast((call) => call.method === method)?.request;
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.call(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), 'service-version': '2026-08-06', ...headers },
  });
const ACTIONS = [
  ['PATCH', '', { caption: 'New' }, 'updatePost'],
  ['POST', '/schedule', { scheduled_publish_time: '2030-01-01T00:00Z' }, 'schedulePost'],
  ['POST', '/unschedule', {}, 'unschedulePost'],
  ['POST', '/review', { decision: 'approve' }, 'reviewPost'],
  ['DELETE', '', undefined, 'deletePost'],
] as const;

it.each(ACTIONS.slice(0, 4))('%s %s returns 200 with the post, its Location and its ETag', async (method, path, body) => {
  const response = await send(method, one + path, body);
  expect([response.status, response.headers.get('etag'), response.headers.get('location')]).toEqual([200, '"5.2026-08-06"', null]);
  expect(await response.json()).toMatchObject({ id: 'p1', self: `${BASE_URL}${one}` });
});

it.each(ACTIONS)('%s %s passes the revision of If-Match on, and returns 412 for another one', async (method, path, body, rpc) => {
  await expectProblem(
    await gateway.call(one + path, { method, ...json(body), headers: { ...json(body).headers, 'if-match': '"3.2026-08-06"' } }),
    {
      status: 412,
      code: 'precondition_failed',
    },
  );
  expect(lastRequest(rpc)).toMatchObject({ postId: 'p1', expectedRevisions: [3] });
  expect((await send(method, one + path, body, { 'if-match': '"9.2026-08-06", "4.2026-08-06"' })).status).toBe(200);
});

const json = (body: unknown) =>
  body === undefined ? { headers: {} } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };

it.each(ACTIONS)('%s %s returns 404 for a post that does not exist', async (method, path, body) => {
  await expectProblem(await gateway.call(`${posts}/p2${path}`, { method, ...json(body) }), { status: 404, code: 'resource_not_found' });
});

it('says where a deleted post stays published, or may be', async () => {
  const result = (platform: string, more: Partial<PublishResult> = {}) =>
    PublishResult.fromPartial({
      ...{ platform, integrationId: `${platform}-1`, status: 'PUBLISH_RESULT_STATUS_SUCCESS', updatedAt: new Date(0) },
      ...more,
    });
  const removal = (status: RemovalStatus) => ({ removal: Removal.fromPartial({ status, updatedAt: new Date(0) }) });
  gateway.services.posts.set('p3', {
    ...aPost({ id: 'p3', businessId: gateway.businessId }),
    publishResults: [
      result('facebook', { postUrl: 'https://facebook.example/17' }),
      result('x', removal('REMOVAL_STATUS_REMOVED')),
      result('linkedin', removal('REMOVAL_STATUS_PENDING')),
      result('instagram', removal('REMOVAL_STATUS_NOT_SUPPORTED')),
      result('youtube', { status: 'PUBLISH_RESULT_STATUS_FAILED', errorType: 'media_failed' }),
      result('tiktok', { status: 'PUBLISH_RESULT_STATUS_FAILED', errorType: 'unknown_outcome' }),
    ],
  });
  const response = await send('DELETE', `${posts}/p3`);
  expect(await response.json()).toEqual({
    status: 'deleted',
    still_published: [
      { platform: 'facebook', integration_id: 'facebook-1', state: 'published', post_url: 'https://facebook.example/17' },
      { platform: 'linkedin', integration_id: 'linkedin-1', state: 'removing', post_url: null },
      { platform: 'instagram', integration_id: 'instagram-1', state: 'published', post_url: null },
      { platform: 'tiktok', integration_id: 'tiktok-1', state: 'unknown', post_url: null },
    ],
  });
});

describe('changing a post', () => {
  it('passes on the given fields, and no others', async () => {
    await send('PATCH', one, { caption: 'New', link: null, metadata: { a: 'b' }, media_ids: [] });
    expect(lastRequest('updatePost')).toMatchObject({
      operationId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      updateMask: ['caption', 'media_ids', 'link', 'metadata'],
      caption: 'New',
      link: undefined,
      metadata: [{ key: 'a', value: 'b' }],
      mediaIds: [],
    });
  });

  it('passes every field on', async () => {
    const body = {
      caption: 'Bread',
      media_ids: ['m1'],
      media_urls: ['https://images.example/1.jpg'],
      scheduled_publish_time: '2030-01-01T08:00+0100',
      restrict_publish_to: null,
      restrict_publish_to_integration_ids: ['i1'],
      platform_overrides: [{ platform: 'gbp', title: 'T' }],
      link: 'https://bakery.example/',
      cover_media_id: null,
      video_cover_timestamp_ms: 0,
      design_id: 'd1',
      repeating_cron: '0 9 * * *',
      repeating_timezone: 'Europe/Berlin',
      misfire_policy: null,
      strategy: 'primary_first',
      metadata: {},
    };
    await send('PATCH', one, body);
    expect(lastRequest('updatePost')).toMatchObject({
      updateMask: Object.keys(body),
      restrictPublishTo: [],
      restrictPublishToIntegrationIds: ['i1'],
      mediaUrls: ['https://images.example/1.jpg'],
      coverMediaId: undefined,
      videoCoverTimestampMs: 0,
      scheduledPublishTime: new Date('2030-01-01T07:00:00.000Z'),
      metadata: [],
      platformOverrides: [{ override: { platform: 'google_business', title: 'T' } }],
      repeatingCron: '0 9 * * *',
      repeatingTimezone: 'Europe/Berlin',
      misfirePolicy: 'MISFIRE_POLICY_UNSPECIFIED',
      strategy: 'PUBLISH_STRATEGY_PRIMARY_FIRST',
    });
  });

  it.each([
    [{ status: 'DRAFT' }, 'status'],
    [{ caption: null }, 'caption'],
    [{ metadata: null }, 'metadata'],
    [{ restrict_publish_to: [] }, 'restrict_publish_to'],
    [{ publish_to: ['x'] }, 'publish_to'],
    [{ id: 'p2' }, 'id'],
  ])('rejects %j', async (body, param) => {
    await expectProblem(await gateway.call(one, { method: 'PATCH', ...json(body) }), { status: 422, code: 'validation_failed', param });
  });
});

it('deletes', async () => {
  const response = await send('DELETE', one);
  expect([response.status, await response.json()]).toEqual([200, { status: 'deleted', still_published: [] }]);
});

describe('scheduling', () => {
  it('requires a time', async () => {
    await expectProblem(await gateway.post(`${one}/schedule`, {}), {
      status: 400,
      code: 'missing_field',
      param: 'scheduled_publish_time',
    });
    await expectProblem(await gateway.post(`${one}/schedule`, { scheduled_publish_time: null }), {
      status: 422,
      code: 'validation_failed',
      param: 'scheduled_publish_time',
    });
  });

  it('passes targets and the series on if they are given', async () => {
    await gateway.post(`${one}/schedule`, {
      scheduled_publish_time: '2030-01-01T00:00Z',
      restrict_publish_to: null,
      repeating_cron: '0 9 * * *',
      repeating_timezone: 'Europe/Berlin',
      misfire_policy: 'publish_late',
    });
    expect(lastRequest('schedulePost')).toMatchObject({
      scheduledPublishTime: new Date('2030-01-01T00:00:00.000Z'),
      updateMask: ['restrict_publish_to', 'repeating_cron', 'repeating_timezone', 'misfire_policy'],
      restrictPublishTo: [],
      repeatingCron: '0 9 * * *',
      repeatingTimezone: 'Europe/Berlin',
      misfirePolicy: 'MISFIRE_POLICY_PUBLISH_LATE',
    });
  });

  it('is undone without a body', async () => {
    expect((await send('POST', `${one}/unschedule`)).status).toBe(200);
    await expectProblem(await gateway.post(`${one}/unschedule`, { now: true }), { status: 422, code: 'validation_failed', param: 'now' });
  });
});

describe('reviewing', () => {
  it.each([
    ['approve', 'DRAFT'],
    ['reject', 'REJECTED'],
  ])('%s sets %s, and returns the note', async (decision, status) => {
    const response = await gateway.post(`${one}/review`, { decision, note: 'Well.' });
    expect(await response.json()).toMatchObject({ status, review_note: 'Well.' });
  });

  it('requires a decision', async () => {
    await expectProblem(await gateway.post(`${one}/review`, {}), { status: 400, code: 'missing_field', param: 'decision' });
    await expectProblem(await gateway.post(`${one}/review`, { decision: 'APPROVE' }), {
      status: 422,
      code: 'validation_failed',
      param: 'decision',
    });
  });
});

describe('validating', () => {
  it('accepts the body of a create, and returns the findings', async () => {
    const fix = [{ op: 'add', path: '/platform_overrides/0/caption', value: 'Short.' }];
    const response = await gateway.post(`${posts}/validate`, { caption: '' });
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        valid: false,
        findings: [
          {
            ...{ rule_id: 'some_rule', severity: 'error', platform: 'x', field: 'caption', detail: 'Look at it.' },
            ...{ limit: 280, value: 300, source: 'https://docs.x.com/', fix },
          },
          {
            ...{ rule_id: 'some_rule', severity: 'warning', platform: null, field: null, detail: 'Look at it.' },
            ...{ limit: null, value: null, source: null, fix: null },
          },
        ],
        fix,
      },
    ]);
    expect(await (await gateway.post(`${posts}/validate`, { caption: 'x' })).json()).toMatchObject({ valid: true });
    expect(lastRequest('validatePost')).toMatchObject({ post: { caption: 'x' } });
    expect(lastRequest('createPost')).toBeUndefined();
  });

  it('rejects the bodies that a create rejects', async () => {
    await expectProblem(await gateway.post(`${posts}/validate`, { colour: 'red' }), {
      status: 422,
      code: 'validation_failed',
      param: 'colour',
    });
  });
});
