import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { ValidatePostRequest } from '@fanfare/contracts/content';
import { changingPosts } from './changing-posts.ts';
import { aBusiness, aCreatePost, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
let first: string;
let second: string;

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  [first = '', second = ''] = await content.connect(call, ['x', 'x']);
});

const { scheduled, update } = changingPosts({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});
const long = 'x'.repeat(281);
const validate = async (more: object) =>
  (await content.client.validatePost(ValidatePostRequest.fromPartial({ post: aCreatePost(more) }), call)).findings.filter(
    ({ severity }) => severity === 'FINDING_SEVERITY_ERROR',
  );

test('an override can be for one account, beside that of its platform', async () => {
  const mediaId = content.library.add(call.call.metadata.businessId);
  const platformOverrides = [
    { override: { platform: 'x', caption: 'For X' }, mediaIds: { items: [mediaId] } },
    { override: { integrationId: second, caption: 'For the second' } },
  ];
  const post = await content.createPost(call, { platformOverrides });
  expect(post.platformOverrides).toMatchObject([
    { platform: 'x', integrationId: undefined, caption: 'For X', media: { items: [{ id: mediaId }] } },
    { platform: '', integrationId: second, caption: 'For the second', media: undefined },
  ]);
  await content.publishPost(call, post.id);
  const [{ snapshot } = { snapshot: undefined }] = await eventually(
    () => content.publicationsOf(post.id).length > 0 && content.publicationsOf(post.id),
  );
  // A publisher of the previous version looks for the platform only.
  expect(snapshot?.platformOverrides.map(({ platform, integrationId }) => [platform, integrationId])).toEqual([
    ['x', undefined],
    ['', second],
  ]);
});

test('media ids in an override are reserved like others, and rejected with their path', async () => {
  const mediaId = content.library.add(call.call.metadata.businessId);
  const byId = (id: string) => [
    { override: { platform: 'facebook' } },
    { override: { integrationId: first }, mediaIds: { items: [mediaId, id] } },
  ];
  const other = content.library.add(call.call.metadata.businessId);
  const post = await content.createPost(call, scheduled({ platformOverrides: byId(other) }));
  const [created] = await eventually(() => content.changesOf(post.id).length > 0 && content.changesOf(post.id));
  expect(created?.neededMediaIds).toEqual([mediaId, other]);
  const param = 'platform_overrides.1.media_ids.1';
  await expect(content.createPost(call, { platformOverrides: byId(newId()) })).rejects.toMatchObject({ code: 'invalid_value', param });
  const findings = await validate({ platformOverrides: byId(newId()) });
  expect(findings.map(({ ruleId, field }) => [ruleId, field])).toContainEqual(['media_unknown', param]);
  content.library.remove(other);
  const again = { updateMask: ['platform_overrides', 'caption'], caption: 'Again', platformOverrides: byId(other) };
  await expect(update(post, again)).rejects.toMatchObject({ code: 'invalid_value', param });
});

test.each<[string, () => object[], string, string]>([
  [
    'for a platform and an account at once',
    () => [{ override: { platform: 'x', integrationId: first } }],
    'invalid_request',
    '0.integration_id',
  ],
  ['for neither', () => [{ override: { caption: 'a' } }], 'missing_field', '0.platform'],
  [
    'for an account twice',
    () => [{ override: { integrationId: first } }, { override: { integrationId: first } }],
    'invalid_value',
    '1.integration_id',
  ],
  ['for a platform twice', () => [{ override: { platform: 'x' } }, { override: { platform: 'x' } }], 'invalid_value', '1.platform'],
  ['for an account that does not exist', () => [{ override: { integrationId: newId() } }], 'invalid_value', '0.integration_id'],
  [
    'with media by id and by URL',
    () => [{ override: { platform: 'x' }, mediaIds: { items: [] }, mediaUrls: { urls: [] } }],
    'invalid_request',
    '0.media_urls',
  ],
  [
    'with options of another platform',
    () => [{ override: { platform: 'facebook' } }, { override: { integrationId: first, options: { reply_settings: 'nobody' } } }],
    'validation_failed',
    '1.options.reply_settings',
  ],
])('an override %s is rejected on create, on update and in a dry run', async (_what, overrides, code, at) => {
  const platformOverrides = overrides();
  const param = `platform_overrides.${at}`;
  await expect(content.createPost(call, { platformOverrides })).rejects.toMatchObject({ code, param });
  const post = await content.createPost(call);
  await expect(update(post, { updateMask: ['platform_overrides'], platformOverrides })).rejects.toMatchObject({ code, param });
  expect((await validate({ platformOverrides })).map(({ field }) => field)).toContain(param);
});

test('a finding about one account names the account and its override, and is fixed there', async () => {
  const platformOverrides = [{ override: { platform: 'x', title: 'T' } }, { override: { integrationId: second, caption: long } }];
  const [finding, ...others] = await validate({ platformOverrides });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    ruleId: 'caption_max_length',
    platform: 'x',
    field: 'platform_overrides.1.caption',
    detail: expect.stringContaining(second),
    fix: [{ op: 'add', path: '/platform_overrides/1/caption' }],
  });
  const post = await content.createPost(call, scheduled({ platformOverrides, restrictPublishToIntegrationIds: [first, second] }));
  expect(post.atRisk).toMatchObject([{ code: 'caption_max_length', field: 'platform_overrides.1.caption' }]);
  const other = await content.createPost(call, scheduled({ platformOverrides, restrictPublishToIntegrationIds: [first] }));
  expect(other.atRisk).toEqual([]);
});

test('an account whose override is shorter has no finding, though its platform has one', async () => {
  const platformOverrides = [{ override: { integrationId: second, caption: 'Short' } }];
  const findings = await validate({ caption: long, platformOverrides });
  expect(findings.map(({ field, detail }) => [field, detail.includes(second)])).toEqual([['caption', false]]);
});
