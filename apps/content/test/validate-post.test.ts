import { newId } from '@fanfare/runtime';
import { aBusiness, aCreatePost, aList, startContent, type Call, type TestContent } from './running-content.ts';

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

test('a post that could be sent has no findings', async () => {
  await content.connect(call, ['x']);
  expect(await validate({ restrictPublishTo: ['x'] })).toEqual([]);
  expect(await validate({ caption: '', link: 'https://example.com/' })).toEqual([]);
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
  [
    'a time that it has no use for',
    { scheduledPublishTime: new Date(Date.UTC(2031, 0, 1)) },
    ['schedule_time ERROR  scheduled_publish_time'],
  ],
  ['no cron', { repeatingCron: '@daily' }, ['repeating_cron ERROR  repeating_cron']],
  [
    'two kinds of media',
    { mediaUrls: ['https://a.b/1'], designId: 'd' },
    ['design_unknown ERROR  design_id', 'media_sources_exclusive ERROR  design_id'],
  ],
  ['media that nobody has', { mediaIds: [newId(), newId()] }, ['media_unknown ERROR  media_ids.0', 'media_unknown ERROR  media_ids.1']],
  ['a cover that nobody has', { coverMediaId: newId() }, ['cover_unknown ERROR  cover_media_id']],
  [
    'what is no URL',
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
    'a platform that is not connected',
    { restrictPublishTo: ['x', 'tiktok'] },
    ['media_required ERROR tiktok media_ids', 'target_not_connected WARNING tiktok restrict_publish_to.1'],
  ],
  [
    'an account that nobody has',
    { restrictPublishToIntegrationIds: [newId()] },
    ['integration_unknown ERROR  restrict_publish_to_integration_ids.0'],
  ],
  [
    'several things',
    { caption: '', status: 'POST_STATUS_SCHEDULED', repeatingCron: 'x' },
    ['content_missing ERROR  caption', 'repeating_cron ERROR  repeating_cron', 'schedule_time ERROR  scheduled_publish_time'],
  ],
] as const)('a post with %s: each is found', async (_what, more, findings) => {
  await content.connect(call, ['x']);
  expect(await validate(more as never)).toEqual(findings);
});

test('what a platform would refuse is found, with what mends it', async () => {
  await content.connect(call, ['x']);
  const { findings, fix } = await content.client.validatePost({ post: aCreatePost({ caption: 'a'.repeat(281) }) }, call);
  expect(findings).toMatchObject([{ ruleId: 'caption_max_length', platform: 'x', field: 'caption', limit: 280, value: 281 }]);
  expect(fix).toEqual([{ op: 'add', path: '/platform_overrides', value: [{ platform: 'x', caption: `${'a'.repeat(278)}…` }] }]);
  expect(await validate({ restrictPublishTo: ['instagram'] })).toEqual([
    'media_required ERROR instagram media_ids',
    'target_not_connected WARNING instagram restrict_publish_to.0',
  ]);
});

test('accounts may still be connected: that there is none is a warning', async () => {
  expect(await validate()).toEqual(['target_not_connected WARNING  ']);
  const [gone = ''] = await content.connect(call, ['x'], 'INTEGRATION_STATUS_DISCONNECTED');
  expect(await validate({ restrictPublishToIntegrationIds: [gone] })).toEqual([
    'target_not_connected WARNING x restrict_publish_to_integration_ids.0',
  ]);
});

test('nothing is saved, and nothing is fetched', async () => {
  const imports = content.library.imports.length;
  await validate({ mediaUrls: ['https://example.com/1.jpg'] });
  expect((await content.client.listPosts(aList(), call)).posts).toEqual([]);
  expect(content.library.imports).toHaveLength(imports);
});
