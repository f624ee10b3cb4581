import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aBusiness, aCreatePost, aList, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const validate = async (more: Parameters<typeof aCreatePost>[0] = {}) =>
  (await content.client.validatePost({ post: aCreatePost(more) }, call)).findings
    .map(({ ruleId, severity, platform, field }) =>
      [ruleId, severity.replace('FINDING_SEVERITY_', ''), platform ?? '', field ?? ''].join(' '),
    )
    .sort();

test('a post that can be published has no findings', async () => {
  await content.connect(call, ['x']);
  expect(await validate({ restrictPublishTo: ['x'] })).toEqual([]);
  expect(await validate({ caption: '', link: 'https://example.com/', restrictPublishTo: ['facebook'] })).toEqual([
    'target_not_connected WARNING facebook restrict_publish_to.0',
  ]);
  expect(await validate({ caption: '', mediaUrls: ['https://example.com/1.jpg'] })).toEqual([]);
  expect(
    await validate({ caption: '', platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: ['https://a.b/1.jpg'] } }] }),
  ).toEqual([]);
});

test.each([
  ['no content', { caption: ' ' }, ['content_missing ERROR  caption']],
  ['no time', { status: 'POST_STATUS_SCHEDULED' }, ['schedule_time ERROR  scheduled_publish_time']],
  [
    'a time in the past',
    { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: new Date(0) },
    ['schedule_time ERROR  scheduled_publish_time'],
  ],
  ['a time without effect', { scheduledPublishTime: new Date(Date.UTC(2031, 0, 1)) }, ['schedule_time ERROR  scheduled_publish_time']],
  ['an invalid cron', { repeatingCron: '@daily' }, ['repeating_cron ERROR  repeating_cron']],
  [
    'two kinds of media',
    { mediaUrls: ['https://a.b/1'], designId: 'd' },
    ['design_unknown ERROR  design_id', 'media_sources_exclusive ERROR  design_id'],
  ],
  ['unknown media', { mediaIds: [newId(), newId()] }, ['media_unknown ERROR  media_ids.0', 'media_unknown ERROR  media_ids.1']],
  ['an unknown cover', { coverMediaId: newId() }, ['cover_unknown ERROR  cover_media_id']],
  [
    'an invalid URL',
    { mediaUrls: ['https://a.b/1', 'ftp://a.b/1'], platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: ['/1.jpg'] } }] },
    ['media_url_invalid ERROR  media_urls.1', 'media_url_invalid ERROR  platform_overrides.0.media_urls.0'],
  ],
  [
    'more URLs than one request may fetch',
    {
      mediaUrls: Array(50).fill('https://a.b/1'),
      platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: ['https://a.b/1'] } }],
    },
    ['media_urls_too_many ERROR  platform_overrides.0.media_urls'],
  ],
  [
    'two overrides for a platform',
    { platformOverrides: [{ override: { platform: 'x' } }, { override: { platform: 'x' } }] },
    ['platform_override_repeated ERROR  platform_overrides.1.platform'],
  ],
  [
    'an override for a platform and an account at once, and one with media by ids and by URLs',
    {
      platformOverrides: [
        { override: { platform: 'x', integrationId: newId() } },
        { override: { platform: 'facebook' }, mediaIds: { items: [] }, mediaUrls: { urls: [] } },
      ],
    },
    [
      'integration_unknown ERROR  platform_overrides.0.integration_id',
      'media_sources_exclusive ERROR  platform_overrides.1.media_urls',
      'platform_override_target ERROR  platform_overrides.0.integration_id',
    ],
  ],
  [
    'a platform that is not connected',
    { restrictPublishTo: ['x', 'tiktok'] },
    ['media_required ERROR tiktok media_ids', 'target_not_connected WARNING tiktok restrict_publish_to.1'],
  ],
  [
    'an unknown account',
    { restrictPublishToIntegrationIds: [newId()] },
    ['integration_unknown ERROR  restrict_publish_to_integration_ids.0'],
  ],
  [
    'several things',
    { caption: '', status: 'POST_STATUS_SCHEDULED', repeatingCron: 'x' },
    ['content_missing ERROR  caption', 'repeating_cron ERROR  repeating_cron', 'schedule_time ERROR  scheduled_publish_time'],
  ],
] as const)('a post with %s: each problem is found', async (_what, more, findings) => {
  await content.connect(call, ['x']);
  expect(await validate(more as never)).toEqual(findings);
});

test('what a platform would reject has a finding with a fix', async () => {
  await content.connect(call, ['x']);
  const { findings, fix } = await content.client.validatePost({ post: aCreatePost({ caption: 'a'.repeat(281) }) }, call);
  expect(findings).toMatchObject([{ ruleId: 'caption_max_length', platform: 'x', field: 'caption', limit: 280, value: 281 }]);
  expect(fix).toEqual([{ op: 'add', path: '/platform_overrides', value: [{ platform: 'x', caption: `${'a'.repeat(278)}…` }] }]);
  expect(await validate({ restrictPublishTo: ['instagram'] })).toEqual([
    'media_required ERROR instagram media_ids',
    'target_not_connected WARNING instagram restrict_publish_to.0',
  ]);
});

test('a missing text is found for each platform that needs one, even if others have content', async () => {
  await content.connect(call, ['x', 'facebook', 'google_business', 'linkedin']);
  expect(await validate({ caption: '', link: 'https://example.com/' })).toEqual([
    'caption_required ERROR google_business caption',
    'caption_required ERROR linkedin caption',
    'caption_required ERROR x caption',
  ]);
  const override = { platform: 'linkedin', caption: 'Bread' };
  expect(
    await validate({
      caption: '',
      platformOverrides: [{ override: { ...override, caption: ' ' } }, { override: { platform: 'x', caption: 'Bread' } }],
    }),
  ).toEqual([
    'caption_required ERROR facebook caption',
    'caption_required ERROR google_business caption',
    'caption_required ERROR linkedin platform_overrides.0.caption',
  ]);
});

test('an event on Google is content without a text, for Google only', async () => {
  await content.connect(call, ['x', 'google_business']);
  const event = { title: 'Open day', start_date: '2026-12-01', start_time: '09:00', end_date: '2026-12-01', end_time: '17:30' };
  const override = { platform: 'google_business', options: { topic_type: 'EVENT', event } };
  const post = { caption: '', platformOverrides: [{ override }] };
  expect(await validate(post)).toEqual(['caption_required ERROR x caption']);
  expect(await validate({ ...post, restrictPublishTo: ['google_business'] })).toEqual([]);
  const { id } = await content.createPost(call, { ...post, restrictPublishTo: ['google_business'] });
  const { publishResults } = await content.publishPost(call, id);
  expect(publishResults).toMatchObject([{ platform: 'google_business', status: 'PUBLISH_RESULT_STATUS_PENDING' }]);
});

test('branded content on TikTok cannot be private, because of the post or of the account settings', async () => {
  const { organizationId, businessId } = call.call.metadata;
  const settings = { privacy_level: 'SELF_ONLY' };
  const account = {
    id: newId(),
    organizationId,
    businessId,
    platform: 'tiktok',
    status: 'INTEGRATION_STATUS_CONNECTED',
    settings,
  } as const;
  await content.announce(account, 1);
  await eventually(async () => (await content.db.collection<{ _id: string }>('integrations').countDocuments({ _id: account.id })) === 1);
  const mediaIds = [content.library.add(businessId, { mimeType: 'image/jpeg', sizeBytes: 9_000, width: 800, height: 800 })];
  const found = (options: object) =>
    validate({ mediaIds, platformOverrides: [{ override: { platform: 'tiktok', options: { ...options } } }] });
  expect(await found({ disclose_branded_content: true })).toEqual([
    'options_unsupported ERROR tiktok platform_overrides.0.options.disclose_branded_content',
  ]);
  expect(await found({ disclose_branded_content: true, privacy_level: 'PUBLIC_TO_EVERYONE' })).toEqual([]);
});

test('an option that a platform requires can be in the override, or in the settings of each account', async () => {
  const account = async (platform: string, settings?: object) => {
    const { organizationId, businessId } = call.call.metadata;
    const status = 'INTEGRATION_STATUS_CONNECTED' as const;
    const id = newId();
    await content.announce({ id, organizationId, businessId, platform, status, ...(settings && { settings }) }, 1);
    await eventually(async () => (await content.db.collection<{ _id: string }>('integrations').countDocuments({ _id: id })) === 1);
  };
  const mediaIds = [
    content.library.add(call.call.metadata.businessId, { mimeType: 'image/jpeg', sizeBytes: 9_000, width: 800, height: 800 }),
  ];
  await account('pinterest', { board_id: '17' });
  expect(await validate({ mediaIds })).toEqual([]);
  await account('pinterest');
  expect(await validate({ mediaIds })).toEqual(['options_required ERROR pinterest platform_overrides.0.options.board_id']);
  const override = { platform: 'pinterest', options: { board_id: '18' } };
  expect(await validate({ mediaIds, platformOverrides: [{ override }] })).toEqual([]);

  await account('tiktok', { photo_cover_index: 2 });
  const { findings } = await content.client.validatePost({ post: aCreatePost({ mediaIds, platformOverrides: [{ override }] }) }, call);
  expect(findings).toMatchObject([
    {
      ruleId: 'options_unsupported',
      field: 'platform_overrides.1.options.photo_cover_index',
      detail: 'The post has only 1 photos.',
      fix: [],
    },
    {
      ruleId: 'options_required',
      platform: 'tiktok',
      field: 'platform_overrides.1.options.privacy_level',
      detail: expect.stringMatching(/options of this platform's override.*settings of the account/) as string,
      fix: [],
    },
  ]);
});

test('values that the platform has for an account are defaults of its settings', async () => {
  const { organizationId, businessId } = call.call.metadata;
  const id = newId();
  const known = {
    id,
    organizationId,
    businessId,
    platform: 'x',
    status: 'INTEGRATION_STATUS_CONNECTED' as const,
    observedOptions: { premium: true },
  };
  const announce = async (more: object, revision: number) => {
    await content.announce({ ...known, ...more }, revision);
    await eventually(async () => (await content.db.collection('integrations').countDocuments({ _id: id as never, revision })) === 1);
  };
  const caption = 'a'.repeat(300);
  await announce({}, 1);
  expect(await validate({ caption })).toEqual([]);
  await announce({ settings: { premium: false } }, 2);
  expect(await validate({ caption })).toEqual(['caption_max_length ERROR x caption']);
  const override = { platform: 'x', options: { premium: true } };
  expect(await validate({ caption, platformOverrides: [{ override }] })).toEqual([]);
});

test('an option for personal profiles only is an error if one of the accounts is a page', async () => {
  const override = { platform: 'linkedin', options: { visibility: 'CONNECTIONS' } };
  const account = async (accountId: string) => {
    const { organizationId, businessId } = call.call.metadata;
    const status = 'INTEGRATION_STATUS_CONNECTED' as const;
    const id = newId();
    await content.announce({ id, organizationId, businessId, platform: 'linkedin', accountId, status }, 1);
    await eventually(async () => (await content.db.collection<{ _id: string }>('integrations').countDocuments({ _id: id })) === 1);
  };
  await account('urn:li:person:a');
  expect(await validate({ platformOverrides: [{ override }] })).toEqual([]);
  await account('urn:li:organization:1');
  expect(await validate({ platformOverrides: [{ override }] })).toEqual([
    'options_unsupported ERROR linkedin platform_overrides.0.options.visibility',
  ]);
});

test('missing accounts are a warning, because they may still be connected; a named account that is disconnected is an error', async () => {
  expect(await validate()).toEqual(['target_not_connected WARNING  ']);
  const [disconnected = ''] = await content.connect(call, ['x'], 'INTEGRATION_STATUS_DISCONNECTED');
  expect(await validate({ restrictPublishToIntegrationIds: [disconnected] })).toEqual([
    'target_not_connected ERROR x restrict_publish_to_integration_ids.0',
  ]);
  const [there = ''] = await content.connect(call, ['facebook']);
  expect(await validate({ restrictPublishToIntegrationIds: [disconnected, there] })).toEqual([
    'target_not_connected WARNING x restrict_publish_to_integration_ids.0',
  ]);
});

test('nothing is saved or fetched', async () => {
  const imports = content.library.imports.length;
  await validate({ mediaUrls: ['https://example.com/1.jpg'] });
  expect((await content.client.listPosts(aList(), call)).posts).toEqual([]);
  expect(content.library.imports).toHaveLength(imports);
});

test('an account whose access has ended has another finding than one that was never connected', async () => {
  const [id = ''] = await content.connect(call, ['x'], 'INTEGRATION_STATUS_EXPIRED');
  await content.connect(call, ['facebook']);
  expect(await validate()).toEqual(['account_expired WARNING x ']);
  expect(await validate({ restrictPublishTo: ['linkedin', 'x'] })).toEqual([
    'account_expired ERROR x restrict_publish_to.1',
    'target_not_connected WARNING linkedin restrict_publish_to.0',
  ]);
  expect(await validate({ restrictPublishToIntegrationIds: [id] })).toEqual([
    'account_expired ERROR x restrict_publish_to_integration_ids.0',
  ]);
});
