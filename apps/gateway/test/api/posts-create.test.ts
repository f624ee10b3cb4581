import { PLATFORMS } from '@fanfare/connectors/platform';
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

describe('creating a post', () => {
  it('returns 201 with every field and the Location', async () => {
    const response = await gateway.post(posts, {});
    const post = (await response.json()) as { id: string };
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('location')).toBe(`${BASE_URL}${posts}/${post.id}`);
    expect(post).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      business_id: gateway.businessId,
      created_at: '2026-08-06T09:30:00.000Z',
      url: `https://app.example.com/businesses/${gateway.businessId}/posts/${post.id}`,
      scheduled_posts_url: null,
      caption: '',
      status: 'NEW',
      media_urls: [],
      media_details: [],
      design_id: null,
      cover_media_id: null,
      video_cover_timestamp_ms: null,
      link: null,
      restrict_publish_to: null,
      restrict_publish_to_integration_ids: null,
      scheduled_publish_time: null,
      published_at: null,
      metadata: {},
      platform_overrides: [],
      publish_results: [],
      publish_status: null,
      last_failure: null,
      queue: null,
      repeating_cron: null,
      repeating_timezone: null,
      series_id: null,
      misfire_policy: null,
      strategy: 'independent',
      review_note: null,
      at_risk: null,
      updated_at: '2026-08-06T09:30:00.000Z',
    });
    expect(gateway.services.calls.at(-1)?.metadata).toMatchObject({
      organizationId: gateway.organizationId,
      businessId: gateway.businessId,
    });
  });

  it('passes every field on', async () => {
    const response = await gateway.post(posts, {
      caption: 'Bread',
      restrict_publish_to: ['Facebook', 'TWITTER/X', 'gbp', 'x'],
      restrict_publish_to_integration_ids: ['i1'],
      media_ids: ['m1', 'm2'],
      media_urls: ['https://images.example/1.jpg'],
      design_id: 'd1',
      cover_media_id: 'm3',
      video_cover_timestamp_ms: 0,
      status: 'SCHEDULED',
      scheduled_publish_time: '2030-01-01T08:00:00',
      link: 'https://bakery.example/?a=b',
      misfire_policy: 'skip',
      strategy: 'all_or_nothing',
      metadata: { campaign: 'spring' },
      platform_overrides: [
        { platform: 'Instagram', caption: 'Bread!', media_urls: [], title: null, first_comment: 'Hi', options: { share_to_feed: false } },
        { platform: null, integration_id: 'i1', media_ids: ['m4'], options: { board_id: '1' } },
      ],
    });
    expect(lastRequest('createPost')).toEqual({
      operationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      postId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      caption: 'Bread',
      restrictPublishTo: ['facebook', 'x', 'google_business'],
      restrictPublishToIntegrationIds: ['i1'],
      mediaIds: ['m1', 'm2'],
      mediaUrls: ['https://images.example/1.jpg'],
      designId: 'd1',
      coverMediaId: 'm3',
      videoCoverTimestampMs: 0,
      status: 'POST_STATUS_SCHEDULED',
      scheduledPublishTime: new Date('2030-01-01T08:00:00.000Z'),
      link: 'https://bakery.example/?a=b',
      misfirePolicy: 'MISFIRE_POLICY_SKIP',
      strategy: 'PUBLISH_STRATEGY_ALL_OR_NOTHING',
      metadata: [{ key: 'campaign', value: 'spring' }],
      platformOverrides: [
        {
          override: expect.objectContaining({
            platform: 'instagram',
            caption: 'Bread!',
            firstComment: 'Hi',
            options: { share_to_feed: false },
            title: undefined,
            link: undefined,
          }),
          mediaUrls: { urls: [] },
        },
        {
          override: expect.objectContaining({ platform: '', integrationId: 'i1', options: { board_id: '1' } }),
          mediaIds: { items: ['m4'] },
        },
      ],
    });
    expect(await response.json()).toMatchObject({
      status: 'SCHEDULED',
      scheduled_publish_time: '2030-01-01T08:00:00.000Z',
      scheduled_posts_url: `https://app.example.com/businesses/${gateway.businessId}/posts?status=SCHEDULED`,
      platform_overrides: [
        {
          platform: 'instagram',
          integration_id: null,
          caption: 'Bread!',
          media_urls: null,
          title: null,
          link: null,
          first_comment: 'Hi',
          options: { share_to_feed: false },
        },
        { platform: null, integration_id: 'i1', options: { board_id: '1' } },
      ],
    });
  });

  it('accepts null for fields that a post returns as null', async () => {
    const fields = [
      'restrict_publish_to',
      'restrict_publish_to_integration_ids',
      'design_id',
      'cover_media_id',
      'video_cover_timestamp_ms',
    ];
    const body = Object.fromEntries([...fields, 'link', 'scheduled_publish_time'].map((field) => [field, null]));
    expect((await gateway.post(posts, body)).status).toBe(201);
  });

  it('stores metadata verbatim, with any keys', async () => {
    const metadata = '{"__proto__":"a","$where":"b","a.b":"c","":"d","constructor":"e","toString":"f","\\u0000":"\u{1f35e}","9":"g"}';
    const response = await gateway.call(posts, {
      method: 'POST',
      body: `{"metadata":${metadata}}`,
      headers: { 'content-type': 'application/json' },
    });
    const { id, metadata: returned } = (await response.json()) as { id: string; metadata: object };
    const sorted = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(sorted(returned)).toEqual(sorted(JSON.parse(metadata) as object));
    const read = await (await gateway.call(`${posts}/${id}`)).text();
    expect(read).toContain('"__proto__":"a"');
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each([
    [{ restrict_publish_to: [] }, 'restrict_publish_to'],
    [{ restrict_publish_to: ['x', 'myspace'] }, 'restrict_publish_to.1'],
    [{ restrict_publish_to_integration_ids: [] }, 'restrict_publish_to_integration_ids'],
    [{ video_cover_timestamp_ms: -1 }, 'video_cover_timestamp_ms'],
    [{ video_cover_timestamp_ms: 1.5 }, 'video_cover_timestamp_ms'],
    [{ status: 'new' }, 'status'],
    [{ caption: null }, 'caption'],
    [{ caption: 'x'.repeat(100_001) }, 'caption'],
    [{ caption: '\ud800' }, 'caption'],
    [{ link: 'ftp://bakery.example' }, 'link'],
    [{ link: 'javascript:alert(1)' }, 'link'],
    [{ scheduled_publish_time: 'tomorrow' }, 'scheduled_publish_time'],
    [{ scheduled_publish_time: '2026-02-30T00:00:00Z' }, 'scheduled_publish_time'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ metadata: ['a'] }, 'metadata'],
    [{ metadata: null }, 'metadata'],
    [{ platform_overrides: [{ platform: 'x', options: { reply_settings: 'nobody' } }] }, 'platform_overrides.0.options.reply_settings'],
    [{ platform_overrides: [{ platform: 'x', options: { board_id: '1' } }] }, 'platform_overrides.0.options.board_id'],
    [{ platform_overrides: [{ platform: 'x', options: 'following' }] }, 'platform_overrides.0.options'],
    [{ caption: 'a\u0000b' }, 'caption'],
    [{ repeating_cron: 5 }, 'repeating_cron'],
    [{ scheduled_publish_time: '9999-12-31T23:59:59Z' }, 'scheduled_publish_time'],
    [{ strategy: 'sometimes' }, 'strategy'],
    [{ misfire_policy: 'SKIP' }, 'misfire_policy'],
    [{ publish_to: ['x'] }, 'publish_to'],
  ])('rejects %j', async (body, param) => {
    await expectProblem(await gateway.post(posts, body), { status: 422, code: 'validation_failed', param });
    expect(lastRequest('createPost')).toBeUndefined();
  });

  it.each([
    [{ caption: ['x'] }, 'caption must be a string.'],
    [{ caption: null }, 'caption must be a string, and not null.'],
    [{ caption: 'x'.repeat(100_001) }, 'caption must have at most 100000 characters.'],
    [{ caption: 'a\u0000b' }, 'caption contains a NUL character.'],
    [{ restrict_publish_to: [] }, 'restrict_publish_to must have at least 1 entry.'],
    [{ restrict_publish_to: 'x' }, 'restrict_publish_to must be an array.'],
    [{ restrict_publish_to: ['myspace'] }, `restrict_publish_to.0 must be one of ${PLATFORMS.join(', ')}.`],
    [{ video_cover_timestamp_ms: 1.5 }, 'video_cover_timestamp_ms must be a whole number.'],
    [{ video_cover_timestamp_ms: -1 }, 'video_cover_timestamp_ms must be at least 0.'],
    [{ status: 'new' }, 'status must be one of "NEW", "DRAFT", "REJECTED", "SCHEDULED", "PUBLISHED".'],
    [{ link: 'ftp://bakery.example' }, 'link must be an http or https URL.'],
    [{ scheduled_publish_time: 'tomorrow' }, 'scheduled_publish_time must be an ISO 8601 date and time, such as 2030-08-06T09:30:00Z.'],
    [{ scheduled_publish_time: '2030-02-30T00:00Z' }, 'scheduled_publish_time is not a valid date and time.'],
    [{ metadata: { a: 1 } }, 'metadata.a must be a string.'],
    [{ platform_overrides: [5] }, 'platform_overrides.0 must be an object.'],
    [
      { platform_overrides: [{ platform: 'google_business', options: { topic_type: 'EVENT' } }] },
      'platform_overrides.0.options.event is required for topic_type EVENT.',
    ],
    [[], 'The body must be an object.'],
    [{ publish_to: ['x'] }, 'Unknown field "publish_to".'],
  ])('describes the problem of %j', async (body, detail) => {
    expect((await (await gateway.post(posts, body)).json()) as object).toMatchObject({ status: 422, detail });
  });

  it('accepts UUIDs in any case, and passes other ids on unchanged', async () => {
    const id = '019A0000-ABCD-7000-8000-00000000000F';
    const body = { restrict_publish_to_integration_ids: [id, 'ACCOUNT'], media_ids: [id], cover_media_id: id };
    expect((await gateway.post(posts, body)).status).toBe(201);
    expect(lastRequest('createPost')).toMatchObject({
      restrictPublishToIntegrationIds: [id.toLowerCase(), 'ACCOUNT'],
      mediaIds: [id.toLowerCase()],
      coverMediaId: id.toLowerCase(),
    });
  });

  it('lists every problem at once', async () => {
    const body = { caption: 5, publish_to: ['x'], platform_overrides: [{ caption: true }] };
    const problem = await expectProblem(await gateway.post(posts, body), { status: 422, code: 'validation_failed', param: 'caption' });
    expect((problem['errors'] as { param: string; code: string }[]).map(({ param, code }) => [param, code])).toEqual([
      ['caption', 'validation_failed'],
      ['platform_overrides.0.platform', 'missing_field'],
      ['platform_overrides.0.caption', 'validation_failed'],
      ['publish_to', 'validation_failed'],
    ]);
  });

  it('returns missing_field if there is no other problem', async () => {
    await expectProblem(await gateway.post(posts, { platform_overrides: [{ caption: 'x' }] }), {
      status: 400,
      code: 'missing_field',
      param: 'platform_overrides.0.platform',
    });
  });
});
