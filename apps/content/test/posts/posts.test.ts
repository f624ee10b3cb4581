import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
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

const stored = () => content.posts.countDocuments({ business_id: call.call.metadata.businessId });

test('a post is stored and read as it was created', async () => {
  const post = await content.createPost(call, {
    caption: 'Kept',
    status: 'POST_STATUS_DRAFT',
    link: 'https://example.com/a',
    restrictPublishTo: ['x'],
    platformOverrides: [{ override: { platform: 'x', caption: 'For X', firstComment: 'First', title: '' } }],
    videoCoverTimestampMs: 1_500,
  });
  expect(await content.getPost(call, post.id)).toEqual(post);
  expect(post).toMatchObject({
    caption: 'Kept',
    status: 'POST_STATUS_DRAFT',
    link: 'https://example.com/a',
    restrictPublishTo: ['x'],
    platformOverrides: [{ platform: 'x', caption: 'For X', firstComment: 'First', title: '' }],
    videoCoverTimestampMs: 1_500,
    publishResults: [],
  });
});

test('metadata are stored as they are, with any keys', async () => {
  const metadata = ['__proto__', '$a', 'a.b', '', 'constructor', '$$NOW', 'ключ', 'a\u0000b'].map((key) => ({ key, value: `$${key}` }));
  const post = await content.createPost(call, { metadata });
  expect((await content.getPost(call, post.id)).metadata).toEqual(metadata);
});

test('PUBLISHED records a post from elsewhere, which is never sent', async () => {
  await content.connect(call, ['x']);
  const post = await content.createPost(call, { status: 'POST_STATUS_PUBLISHED' });
  expect(post.publishedAt).toBeInstanceOf(Date);
  await expect(content.publishPost(call, post.id)).rejects.toMatchObject({ code: 'conflict' });
});

test('an account of another business is unknown', async () => {
  const [id = ''] = await content.connect(aBusiness(call.call.metadata.organizationId), ['x']);
  await expect(content.createPost(call, { restrictPublishToIntegrationIds: [id] })).rejects.toMatchObject({ code: 'invalid_value' });
});

test('twenty concurrent creates of the same post create it once, and return the same response', async () => {
  const request = aCreatePost({ mediaUrls: ['https://example.com/1.jpg'] });
  const responses = await Promise.all(Array.from({ length: 20 }, () => content.client.createPost(request, call)));
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  expect(await stored()).toBe(1);
});

test('concurrent creates of many posts create each with one event, even if one of them exists already', async () => {
  const first = aCreatePost({ caption: 'First' });
  await content.client.createPost(first, call);
  const others = Array.from({ length: 20 }, (_, index) => aCreatePost({ caption: `Other ${index}` }));
  const requests = [...others.slice(0, 10), { ...first, caption: 'Again' }, ...others.slice(10)];
  const responses = await Promise.all(requests.map((request) => content.client.createPost(request, call)));
  expect(responses.map(({ post }) => post?.caption)).toEqual(requests.map(({ caption }) => (caption === 'Again' ? 'First' : caption)));
  expect(await stored()).toBe(21);
  const ids = requests.map(({ postId }) => postId);
  await eventually(async () => ids.every((id) => content.changesOf(id).length > 0));
  expect(ids.map((id) => content.changesOf(id).length)).toEqual(ids.map(() => 1));
});

test('a repeated create returns the current post, and fetches nothing again', async () => {
  const request = aCreatePost({ mediaUrls: ['https://example.com/repeat.jpg'] });
  const first = await content.client.createPost(request, call);
  const imports = content.library.imports.length;
  expect(await content.client.createPost({ ...request, caption: 'Another' }, call)).toEqual(first);
  expect(content.library.imports).toHaveLength(imports);
});

test('a post is not visible to another organization or business', async () => {
  const post = await content.createPost(call);
  await content.connect(call, ['x']);
  const { organizationId, businessId } = call.call.metadata;
  for (const other of [callAs({ organizationId, businessId: newId() }), callAs({ organizationId: newId(), businessId })]) {
    await expect(content.getPost(other, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(content.publishPost(other, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
    const list = await content.client.listPosts(aList({ pageSize: 10 }), other);
    expect(list).toEqual({ posts: [], nextPageToken: '' });
  }
});

test('a post is located only in its own organization, until it is deleted', async () => {
  const { id: postId } = await content.createPost(call, {});
  const { organizationId, businessId } = call.call.metadata;
  const locate = (by: Call, id = postId) => content.client.locatePost({ postId: id }, by);
  expect(await locate(callAs({ organizationId, businessId: '' }))).toEqual({ businessId });
  const notFound = { code: 'resource_not_found' };
  await expect(locate(callAs({ organizationId: newId(), businessId }))).rejects.toMatchObject(notFound);
  await expect(locate(call, 'p-1')).rejects.toMatchObject(notFound);
  await content.client.deletePost({ operationId: newId(), postId, expectedRevisions: [] }, call);
  await expect(locate(call)).rejects.toMatchObject(notFound);
});
