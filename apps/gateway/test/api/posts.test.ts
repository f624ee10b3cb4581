import { newId } from '@fanfare/runtime';
import { AT, aPost } from '../values.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let posts: string;
beforeAll(async () => {
  gateway = await startGateway({ CONSOLE_URL: 'https://app.example.com/' });
  posts = `/api/businesses/${gateway.businessId}/posts`;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
  gateway.services.posts.clear();
});

const lastRequest = (method: string) => gateway.services.calls.findLast((call) => call.method === method)?.request;

describe('reading posts', () => {
  it('returns risks with a new ETag of the same revision', async () => {
    const post = aPost({ id: 'p', businessId: gateway.businessId, revision: 4, status: 'POST_STATUS_SCHEDULED' });
    gateway.services.posts.set('p', post);
    const before = (await gateway.call(`${posts}/p`)).headers.get('etag') ?? '';
    const risk = { code: 'media_deleted', detail: 'Deleted.', mediaId: 'm', limit: undefined, value: undefined, fix: [] };
    gateway.services.posts.set('p', { ...post, mediaRevision: 1, atRisk: [risk] });
    const after = await gateway.call(`${posts}/p`, { headers: { 'if-none-match': before } });
    expect(after.status).toBe(200);
    expect(await after.json()).toMatchObject({ at_risk: [{ code: 'media_deleted', detail: 'Deleted.', media_id: 'm' }] });
    const tag = after.headers.get('etag') ?? '';
    expect((await gateway.call(`${posts}/p`, { headers: { 'if-none-match': tag } })).status).toBe(304);
    for (const seen of [before, tag]) {
      const headers = { 'if-match': seen, 'content-type': 'application/json' };
      await gateway.call(`${posts}/p`, { method: 'PATCH', body: JSON.stringify({ caption: 'New' }), headers });
      expect(lastRequest('updatePost')).toMatchObject({ expectedRevisions: [4] });
    }
  });

  it('returns what a platform would reject, with a new ETag each time this changes', async () => {
    const post = aPost({ id: 'p', businessId: gateway.businessId, revision: 4, status: 'POST_STATUS_SCHEDULED' });
    const fix = [{ op: 'add', path: '/platform_overrides', value: [{ platform: 'x', caption: 'Bread…' }] }];
    const long = {
      code: 'caption_max_length',
      detail: 'Too long.',
      platform: 'x',
      field: 'caption',
      limit: 280,
      value: 281,
      source: 'https://x',
      fix,
    };
    const tags = new Set<string | null>();
    for (const atRisk of [[], [long], [{ ...long, value: 282 }], [long, long]]) {
      gateway.services.posts.set('p', { ...post, atRisk });
      tags.add((await gateway.call(`${posts}/p`)).headers.get('etag'));
    }
    expect(tags.size).toBe(4);
    gateway.services.posts.set('p', { ...post, atRisk: [long] });
    const response = await gateway.call(`${posts}/p`);
    expect(await response.json()).toMatchObject({ at_risk: [{ ...long, media_id: null }] });
    const headers = { 'if-match': response.headers.get('etag') ?? '', 'content-type': 'application/json' };
    await gateway.call(`${posts}/p`, { method: 'PATCH', body: JSON.stringify({ caption: 'New' }), headers });
    expect(lastRequest('updatePost')).toMatchObject({ expectedRevisions: [4] });
  });

  it('returns results, media and overrides', async () => {
    const media = { id: 'm1', url: 'https://media/m1', type: 'image', description: 'Bread', transcript: '', duration: 0, facts: undefined };
    const { facts: _facts, ...shown } = media;
    const result = {
      deliveryId: 'd',
      publicationId: 'p',
      integrationId: 'i',
      updatedAt: AT,
      attempts: 2,
      warnings: ['Add first comment: Rejected.'],
      waiting: undefined,
    };
    gateway.services.posts.set(
      'p1',
      aPost({
        id: 'p1',
        businessId: gateway.businessId,
        status: 'POST_STATUS_PUBLISHED',
        publishedAt: AT,
        media: [media],
        platformOverrides: [{ platform: 'x', options: undefined, media: { items: [media] } }],
        publishResults: [
          {
            ...result,
            platform: 'x',
            status: 'PUBLISH_RESULT_STATUS_SUCCESS',
            publishId: '17',
            postUrl: 'https://x.example/17',
            lagMs: 12,
          },
          { ...result, platform: 'facebook', status: 'PUBLISH_RESULT_STATUS_FAILED', errorType: 'token_expired', errorMessage: 'Expired.' },
          {
            ...result,
            platform: 'instagram',
            status: 'PUBLISH_RESULT_STATUS_PROCESSING',
            waiting: { reason: 'rate_limited', until: AT, message: 'Slow down.' },
          },
        ],
      }),
    );
    const response = await gateway.call(`${posts}/p1`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'PUBLISHED',
      published_at: AT.toISOString(),
      media_urls: ['https://media/m1'],
      media_details: [shown],
      platform_overrides: [{ platform: 'x', caption: null, media_urls: ['https://media/m1'] }],
      publish_results: [
        {
          platform: 'x',
          status: 'success',
          publish_id: '17',
          post_url: 'https://x.example/17',
          error_type: null,
          error_message: null,
          integration_id: 'i',
          updated_at: AT.toISOString(),
          lag_ms: 12,
          attempts: 2,
          warnings: ['Add first comment: Rejected.'],
          waiting: null,
        },
        { platform: 'facebook', status: 'failed', publish_id: null, error_type: 'token_expired', error_message: 'Expired.', lag_ms: null },
        { status: 'processing', waiting: { reason: 'rate_limited', until: AT.toISOString(), message: 'Slow down.' } },
      ],
    });
  });

  it.each(['nothing', '019a0000-0000-7000-8000-000000000000', 'a%2Fb', '%00'])('returns 404 for the post %s', async (id) => {
    await expectProblem(await gateway.call(`${posts}/${id}`), { status: 404, code: 'resource_not_found' });
  });

  it('returns HEAD like GET, without the body', async () => {
    const response = await gateway.call(posts, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('pages', async () => {
    for (let index = 0; index < 5; index++) {
      gateway.services.posts.set(`p${index}`, aPost({ id: `p${index}`, businessId: gateway.businessId }));
    }
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const response = await gateway.call(`${posts}?limit=2${next && `&cursor=${next}`}`);
      const page = (await response.json()) as { items: { id: string }[]; next: string | null };
      seen.push(...page.items.map(({ id }) => id));
      next = page.next;
    }
    expect(seen).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
  });

  it('filters by status, 20 per page', async () => {
    await gateway.call(`${posts}?status=NEW&status=DRAFT&status=NEW`);
    expect(lastRequest('listPosts')).toEqual({
      statuses: ['POST_STATUS_NEW', 'POST_STATUS_DRAFT'],
      publishStatuses: [],
      scheduledFrom: undefined,
      scheduledTo: undefined,
      sort: 'POST_SORT_UNSPECIFIED',
      pageSize: 20,
      pageToken: '',
    });
    await expectProblem(await gateway.call(`${posts}?status=new`), { status: 400, code: 'invalid_value', param: 'status' });
  });

  it('filters by publish status, target, text and risk, in an order', async () => {
    const integration = newId();
    const query = `publish_status=failed&publish_status=in_doubt&platform=Twitter&integration_id=${integration.toUpperCase()}&q=fresh%20bread&at_risk=true&sort=-published_at`;
    expect((await gateway.call(`${posts}?${query}`)).status).toBe(200);
    expect(lastRequest('listPosts')).toMatchObject({
      publishStatuses: ['PUBLISH_STATUS_FAILED', 'PUBLISH_STATUS_IN_DOUBT'],
      platform: 'x',
      integrationId: integration,
      query: 'fresh bread',
      atRisk: true,
      sort: 'POST_SORT_PUBLISHED_LAST',
    });
    await gateway.call(`${posts}?at_risk=false`);
    expect(lastRequest('listPosts')).toMatchObject({ atRisk: false });
  });

  it.each([
    'publish_status=bad',
    'platform=myspace',
    'platform=x&platform=x',
    'integration_id=7',
    'at_risk=maybe',
    'sort=caption',
    `q=${'x'.repeat(201)}`,
  ])('rejects %s', async (query) => {
    await expectProblem(await gateway.call(`${posts}?${query}`), { status: 400, code: 'invalid_value', param: query.split('=')[0] ?? '' });
  });

  it('returns the publish status, and why nothing could be sent', async () => {
    const lastFailure = { errorType: 'permission_denied', detail: 'No account.', at: new Date('2030-01-01T00:00:00Z') };
    const failed = aPost({ id: 'failed', businessId: gateway.businessId, publishStatus: 'PUBLISH_STATUS_FAILED', lastFailure });
    gateway.services.posts.set('failed', failed);
    expect(await (await gateway.call(`${posts}/failed`)).json()).toMatchObject({
      publish_status: 'failed',
      last_failure: { error_type: 'permission_denied', detail: 'No account.', at: '2030-01-01T00:00:00.000Z' },
    });
  });

  it('filters by publish time, even if the plus of an offset is not encoded', async () => {
    await gateway.call(`${posts}?scheduled_from=2030-08-01T00:00Z&scheduled_to=2030-09-01T00:00:00+02:00`);
    expect(lastRequest('listPosts')).toMatchObject({
      scheduledFrom: new Date('2030-08-01T00:00:00.000Z'),
      scheduledTo: new Date('2030-08-31T22:00:00.000Z'),
    });
  });

  it.each([
    'scheduled_from=tomorrow',
    'scheduled_to=',
    'scheduled_from=2030-08-01',
    'scheduled_to=2030-08-01T00:00Z&scheduled_to=2030-08-01T00:00Z',
  ])('rejects %s', async (query) => {
    await expectProblem(await gateway.call(`${posts}?${query}`), {
      status: 400,
      code: 'invalid_request',
      param: query.split('=')[0] ?? '',
    });
  });

  it("passes the service's rejection of a page token on", async () => {
    await expectProblem(await gateway.call(`${posts}?cursor=forged`), { status: 400, code: 'invalid_request', param: 'cursor' });
  });
});

describe('unpublishing a post', () => {
  beforeEach(() => gateway.services.posts.set('p1', aPost({ id: 'p1', businessId: gateway.businessId })));

  it('needs no body, and returns 202 with what to poll', async () => {
    const response = await gateway.call(`${posts}/p1/unpublish`, { method: 'POST' });
    expect([response.status, response.headers.get('location')]).toEqual([202, `${BASE_URL}${posts}/p1`]);
    expect(await response.json()).toMatchObject({ id: 'p1' });
    expect(lastRequest('unpublishPost')).toMatchObject({ postId: 'p1', restrictPublishTo: [], restrictPublishToIntegrationIds: [] });
  });

  it('passes the restriction on, and rejects an empty one and unknown fields', async () => {
    await gateway.post(`${posts}/p1/unpublish`, { restrict_publish_to: ['Twitter'] });
    expect(lastRequest('unpublishPost')).toMatchObject({ restrictPublishTo: ['x'] });
    await expectProblem(await gateway.post(`${posts}/p1/unpublish`, { restrict_publish_to: [] }), {
      status: 422,
      code: 'validation_failed',
      param: 'restrict_publish_to',
    });
    await expectProblem(await gateway.post(`${posts}/p1/unpublish`, { confirm_not_published: true }), {
      status: 422,
      code: 'validation_failed',
      param: 'confirm_not_published',
    });
  });
});

describe('publishing a post', () => {
  beforeEach(() => gateway.services.posts.set('p1', aPost({ id: 'p1', businessId: gateway.businessId })));

  it('needs no body, and returns 202 with what to poll', async () => {
    const response = await gateway.call(`${posts}/p1/publish`, { method: 'POST' });
    expect([response.status, response.headers.get('location')]).toEqual([202, `${BASE_URL}${posts}/p1`]);
    expect(await response.json()).toMatchObject({ id: 'p1' });
    expect(lastRequest('publishPost')).toMatchObject({ postId: 'p1', restrictPublishTo: [], confirmNotPublished: false });
  });

  it('passes the restriction on', async () => {
    await gateway.post(`${posts}/p1/publish`, { restrict_publish_to: ['Twitter'], confirm_not_published: true });
    expect(lastRequest('publishPost')).toMatchObject({ restrictPublishTo: ['x'], confirmNotPublished: true });
  });
});
