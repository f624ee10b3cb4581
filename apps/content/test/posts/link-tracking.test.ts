import { CreateBusinessRequest, UpdateBusinessRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { aCreatePost, aList, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());

const linkTracking = { source: '{platform}', medium: 'social', content: '{post_id}' };
const TRACKED = /link_tracking of the business/;

beforeEach(async () => {
  const [organizationId, businessId] = [newId(), newId()];
  call = callAs({ organizationId, businessId });
  const request = { operationId: newId(), businessId, name: 'Bakery', profile: { linkTracking } };
  await content.client.createBusiness(CreateBusinessRequest.fromPartial(request), call);
  await content.connect(call, ['x', 'google_business']);
});
const setTracking = (more: Parameters<typeof UpdateBusinessRequest.fromPartial>[0]) => {
  const { businessId } = call.call.metadata;
  return content.client.updateBusiness(UpdateBusinessRequest.fromPartial({ operationId: newId(), businessId, ...more }), call);
};

/** Within Google's 1,500 characters, but not with the parameters; X counts a link as 23 characters. */
const long = `${'Bread '.repeat(240)}https://example.com/`;
const onX = `${'a'.repeat(250)} https://example.com/`;

test('a text that is too long only with the parameters has a finding, and a fix that leaves room for them without containing them', async () => {
  const post = aCreatePost({ caption: long, restrictPublishTo: ['google_business'] });
  const { findings, fix } = await content.client.validatePost({ post }, call);
  expect(findings).toMatchObject([
    {
      ruleId: 'caption_max_length',
      platform: 'google_business',
      field: 'caption',
      limit: 1_500,
      // With the name of the platform and the id of the post.
      value: long.length + '?utm_source=google_business&utm_medium=social&utm_content='.length + 36,
      detail: expect.stringMatching(TRACKED) as string,
    },
  ]);
  const caption = (fix[0]?.value as { caption: string }[])[0]?.caption ?? '';
  expect(caption).toMatch(/^(Bread )+Bread…$/);
  const fixed = aCreatePost({ caption, restrictPublishTo: ['google_business'] });
  expect((await content.client.validatePost({ post: fixed }, call)).findings).toEqual([]);
  const short = aCreatePost({ caption: onX, restrictPublishTo: ['x'] });
  expect((await content.client.validatePost({ post: short }, call)).findings).toEqual([]);
});

test('a scheduled post is at risk while the setting makes its text too long, and its text does not change', async () => {
  const scheduledPublishTime = new Date(Date.now() + 3600_000);
  const more = { caption: long, status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime, restrictPublishTo: ['google_business'] };
  const { id, caption, atRisk } = await content.createPost(call, more);
  expect(caption).toBe(long);
  expect(atRisk).toMatchObject([{ code: 'caption_max_length', detail: expect.stringMatching(TRACKED) as string }]);
  const listed = async (atRisk: boolean) => (await content.client.listPosts(aList({ atRisk }), call)).posts.map((post) => post.id);
  expect(await listed(true)).toEqual([id]);
  await setTracking({ resetFields: ['link_tracking'] });
  expect((await content.getPost(call, id)).atRisk).toEqual([]);
  expect(await listed(true)).toEqual([]);
  await eventually(async () => (await content.posts.countDocuments({ _id: id, risks_told: { $exists: true } })) === 0);
  await setTracking({ profile: { linkTracking } });
  const [, reported] = await eventually(() => content.changesOf(id).length === 2 && content.changesOf(id));
  expect(reported).toMatchObject({ changes: ['POST_CHANGE_AT_RISK'], revision: 1 });
});

test('a publication keeps the setting with which it began, and the stored links do not change', async () => {
  const post = await content.createPost(call, { caption: 'https://example.com/' });
  await content.publishPost(call, post.id);
  await setTracking({ profile: { linkTracking: { source: 'other' } } });
  const [publication] = await eventually(() => {
    const all = content.publicationsOf(post.id);
    return all.length > 0 && all;
  });
  expect(publication?.snapshot).toMatchObject({ caption: 'https://example.com/', linkTracking });
  expect((await content.getPost(call, post.id)).caption).toBe('https://example.com/');
});

test('without the setting nothing is added', async () => {
  await setTracking({ resetFields: ['link_tracking'] });
  const post = await content.createPost(call, { caption: 'https://example.com/' });
  await content.publishPost(call, post.id);
  const publication = await eventually(() => content.publicationsOf(post.id)[0]);
  expect(publication.snapshot?.linkTracking).toBeUndefined();
});
