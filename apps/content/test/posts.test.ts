import { UpdatePostRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
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

const soon = () => new Date(Date.now() + 3600_000);
const stored = () => content.posts.countDocuments({ business_id: call.call.metadata.businessId });

test('a post is kept as it was given, and read back', async () => {
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

test('metadata is kept to the letter, whatever its keys are', async () => {
  const metadata = ['__proto__', '$a', 'a.b', '', 'constructor', '$$NOW', 'ключ', 'a\u0000b'].map((key) => ({ key, value: `$${key}` }));
  const post = await content.createPost(call, { metadata });
  expect((await content.getPost(call, post.id)).metadata).toEqual(metadata);
});

test.each([
  ['the first status is NEW', {}, 'POST_STATUS_NEW'],
  ['DRAFT stays', { status: 'POST_STATUS_DRAFT' }, 'POST_STATUS_DRAFT'],
  ['REJECTED stays', { status: 'POST_STATUS_REJECTED' }, 'POST_STATUS_REJECTED'],
  ['SCHEDULED stays', { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: soon() }, 'POST_STATUS_SCHEDULED'],
] as const)('%s', async (_what, more, status) => {
  expect(await content.createPost(call, more)).toMatchObject({ status, publishedAt: undefined });
});

test('PUBLISHED records a post from elsewhere, and is never sent', async () => {
  await content.connect(call, ['x']);
  const post = await content.createPost(call, { status: 'POST_STATUS_PUBLISHED' });
  expect(post.publishedAt).toBeInstanceOf(Date);
  await expect(content.publishPost(call, post.id)).rejects.toMatchObject({ code: 'invalid_request' });
});

test.each([
  ['without a time', { status: 'POST_STATUS_SCHEDULED' }, { code: 'missing_field', param: 'scheduled_publish_time' }],
  [
    'in the past',
    { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: new Date(Date.now() - 1) },
    { code: 'invalid_request', param: 'scheduled_publish_time' },
  ],
  ['with another status', { scheduledPublishTime: soon() }, { code: 'invalid_request', param: 'scheduled_publish_time' }],
  [
    'without content',
    { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: soon(), caption: ' ' },
    { code: 'missing_field', param: 'caption' },
  ],
  ['with two kinds of media', { mediaIds: ['a'], mediaUrls: ['b'] }, { code: 'invalid_request', param: 'media_urls' }],
  ['with a design that nobody has', { designId: newId() }, { code: 'invalid_value', param: 'design_id' }],
  [
    'for an account that nobody has',
    { restrictPublishToIntegrationIds: [newId()] },
    { code: 'invalid_value', param: 'restrict_publish_to_integration_ids.0' },
  ],
] as const)('a post %s is refused, and nothing is stored', async (_what, more, refusal) => {
  await expect(content.client.createPost(aCreatePost(more as never), call)).rejects.toMatchObject(refusal);
  expect(await stored()).toBe(0);
});

test("another business's account is unknown", async () => {
  const [id = ''] = await content.connect(aBusiness(call.call.metadata.organizationId), ['x']);
  await expect(content.createPost(call, { restrictPublishToIntegrationIds: [id] })).rejects.toMatchObject({ code: 'invalid_value' });
});

test('the same post asked for twenty times at once is created once, and each answer is the first one', async () => {
  const request = aCreatePost({ mediaUrls: ['https://example.com/1.jpg'] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => content.client.createPost(request, call)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await stored()).toBe(1);
});

test('a repeat answers with the post as it is, and fetches nothing again', async () => {
  const request = aCreatePost({ mediaUrls: ['https://example.com/repeat.jpg'] });
  const first = await content.client.createPost(request, call);
  const imports = content.library.imports.length;
  expect(await content.client.createPost({ ...request, caption: 'Another' }, call)).toEqual(first);
  expect(content.library.imports).toHaveLength(imports);
});

test('another organization and another business see nothing of a post', async () => {
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

describe('media', () => {
  test('come in the order in which they were named', async () => {
    const { businessId } = call.call.metadata;
    const ids = [content.library.add(businessId), content.library.add(businessId), content.library.add(businessId)];
    const mediaIds = [2, 0, 1, 0].map((index) => ids[index] ?? '');
    expect((await content.createPost(call, { mediaIds })).media.map(({ id }) => id)).toEqual(mediaIds);
  });

  test('that are unknown, or of another business, are named by their place', async () => {
    const ours = content.library.add(call.call.metadata.businessId);
    for (const other of [newId(), content.library.add(newId())]) {
      const refusal = { code: 'invalid_value', param: 'media_ids.1' };
      await expect(content.createPost(call, { mediaIds: [ours, other] })).rejects.toMatchObject(refusal);
    }
    expect(await stored()).toBe(0);
  });

  test('are copied from their URLs, in order', async () => {
    const request = aCreatePost({
      mediaUrls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
      platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: ['https://example.com/x.jpg'] } }],
    });
    const { post } = await content.client.createPost(request, call);
    const imports = content.library.imports.filter(({ operationId }) => operationId === request.operationId);
    const idOf = (url: string) => imports.find((one) => one.url === url)?.mediaId;
    expect(post?.media.map(({ id }) => id)).toEqual(request.mediaUrls.map(idOf));
    expect(post?.platformOverrides[0]?.media?.items.map(({ id }) => id)).toEqual([idOf('https://example.com/x.jpg')]);

    expect(new Set(imports.map(({ mediaId }) => mediaId)).size).toBe(3);
  });

  test('on our own host are not copied', async () => {
    const id = content.library.add(call.call.metadata.businessId);
    const imports = content.library.imports.length;
    const post = await content.createPost(call, { mediaUrls: [content.library.urlOf(id)] });
    expect(post.media.map((one) => one.id)).toEqual([id]);
    expect(content.library.imports).toHaveLength(imports);
  });

  test.each([
    [{ mediaUrls: ['https://example.com/a.jpg', 'https://example.com/broken.jpg'] }, 'media_urls.1'],
    [
      {
        mediaUrls: ['https://example.com/a.jpg'],
        platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: ['https://example.com/broken.jpg'] } }],
      },
      'platform_overrides.0.media_urls.0',
    ],
  ])('of which one cannot be fetched make no post: %#', async (more, param) => {
    await expect(content.createPost(call, more)).rejects.toMatchObject({ code: 'invalid_value', param });
    expect(await stored()).toBe(0);
  });

  test.each([
    [51, [], 'media_urls'],
    [0, [30, 21], 'platform_overrides.1.media_urls'],
    [49, [1, 1], 'platform_overrides.1.media_urls'],
  ])('of more than fifty URLs, counting those of overrides, make no post: %i and %j', async (own, perOverride, param) => {
    const imports = content.library.imports.length;
    await expect(content.createPost(call, withUrls(own, perOverride))).rejects.toMatchObject({ code: 'invalid_request', param });
    const update = UpdatePostRequest.fromPartial({
      operationId: newId(),
      postId: (await content.createPost(call)).id,
      updateMask: ['media_urls', 'platform_overrides'],
      ...withUrls(own, perOverride),
    });
    await expect(content.client.updatePost(update, call)).rejects.toMatchObject({ code: 'invalid_request', param });
    expect(content.library.imports).toHaveLength(imports);
  });

  test('of fifty URLs are fetched eight at once, and stand where they were given', async () => {
    const given = withUrls(20, [20, 10]);
    const imports = content.library.imports.length;
    const release = content.library.holdImports();
    const creation = content.createPost(call, given);
    await eventually(() => content.library.imports.length >= imports + 8);
    // All that is asked for at once is asked for by the time that another call has come and gone.
    await content.createPost(call);
    expect(content.library.imports).toHaveLength(imports + 8);
    release();
    const post = await creation;
    const idOf = (url: string) => content.library.imports.slice(imports).find((one) => one.url === url)?.mediaId;
    expect(content.library.imports).toHaveLength(imports + 50);
    expect(post.media.map(({ id }) => id)).toEqual(given.mediaUrls.map(idOf));
    expect(post.platformOverrides.map(({ media }) => media?.items.map(({ id }) => id))).toEqual(
      given.platformOverrides.map(({ mediaUrls }) => mediaUrls.urls.map(idOf)),
    );
  });

  test('of which one cannot be fetched are not fetched any further', async () => {
    const given = withUrls(50, []);
    const request = aCreatePost({ ...given, mediaUrls: ['https://example.com/broken.jpg', ...given.mediaUrls.slice(1)] });
    await expect(content.client.createPost(request, call)).rejects.toMatchObject({ code: 'invalid_value', param: 'media_urls.0' });
    // By the time that as many others have been fetched, they would have been.
    await content.createPost(call, given);
    expect(content.library.imports.filter(({ operationId }) => operationId === request.operationId).length).toBeLessThan(40);
  });

  test('a cover is a picture of the same business', async () => {
    const { businessId } = call.call.metadata;
    const [picture, video] = [content.library.add(businessId), content.library.add(businessId, { type: 'MEDIA_TYPE_VIDEO' })];
    expect(await content.createPost(call, { coverMediaId: picture })).toMatchObject({ coverMediaId: picture });
    for (const coverMediaId of [video, newId(), content.library.add(newId())]) {
      await expect(content.createPost(call, { coverMediaId })).rejects.toMatchObject({ code: 'invalid_value', param: 'cover_media_id' });
    }
  });
});

describe('lists', () => {
  const list = (more: Parameters<typeof aList>[0] = {}, by = call) => content.client.listPosts(aList({ pageSize: 2, ...more }), by);
  const create = async (count: number, more = {}) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.unshift((await content.createPost(call, more)).id);
    return ids;
  };

  test('newest first, each post once, also when posts are created in between', async () => {
    const ids = await create(5);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageToken });
      seen.push(...page.posts.map(({ id }) => id));
      pageToken = page.nextPageToken;
      await create(1);
    } while (pageToken !== '');
    expect(seen).toEqual(ids);
  });

  test('posts of the same millisecond are neither lost nor repeated', async () => {
    const ids = await create(7);
    await content.posts.updateMany({ _id: { $in: ids } }, { $set: { created_at: new Date(0) } });
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageToken });
      seen.push(...page.posts.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual([...ids].sort().reverse());
  });

  test('of some statuses', async () => {
    const drafts = await create(2, { status: 'POST_STATUS_DRAFT' });
    const fresh = await create(2);
    expect((await list({ statuses: ['POST_STATUS_DRAFT'] })).posts.map(({ id }) => id)).toEqual(drafts);
    const both = await list({ statuses: ['POST_STATUS_DRAFT', 'POST_STATUS_NEW'], pageSize: 10 });
    expect(both.posts.map(({ id }) => id)).toEqual([...fresh, ...drafts]);
  });

  test('by the time that they wait for, whose end is not in it, newest first', async () => {
    const at = (hour: number) => new Date(Date.UTC(2031, 0, 1, hour));
    const [one, two, three] = [
      await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at(3) }),
      await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at(1) }),
      await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at(2) }),
    ].map(({ id }) => id);
    await create(2);
    const found = async (more: object) => (await list({ pageSize: 10, ...more })).posts.map(({ id }) => id);
    expect(await found({ scheduledFrom: at(1) })).toEqual([three, two, one]);
    expect(await found({ scheduledTo: at(3) })).toEqual([three, two]);
    expect(await found({ scheduledFrom: at(2), scheduledTo: at(3) })).toEqual([three]);
    expect(await found({ scheduledFrom: at(2), scheduledTo: at(2) })).toEqual([]);
    expect(await found({ scheduledFrom: at(1), statuses: ['POST_STATUS_NEW'] })).toEqual([]);
    expect(await found({ scheduledFrom: at(1), statuses: ['POST_STATUS_NEW', 'POST_STATUS_SCHEDULED'] })).toEqual([three, two, one]);
    await expect(found({ scheduledFrom: at(2), scheduledTo: at(1) })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'scheduled_to',
    });
    const page = await list({ pageSize: 2, scheduledFrom: at(1) });
    const rest = await list({ pageSize: 2, scheduledFrom: at(1), pageToken: page.nextPageToken });
    expect([...page.posts, ...rest.posts].map(({ id }) => id)).toEqual([three, two, one]);
    await expect(list({ pageSize: 2, scheduledFrom: at(2), pageToken: page.nextPageToken })).rejects.toMatchObject({ param: 'cursor' });
    await expect(list({ pageSize: 2, pageToken: page.nextPageToken })).rejects.toMatchObject({ param: 'cursor' });
  });

  test('end a page early rather than let it grow past 2 MiB, and lose nothing', async () => {
    // Each of these is 6 bytes in JSON.
    const ids = await create(8, { caption: '\u0001'.repeat(50_000), metadata: [{ key: 'k', value: 'ä'.repeat(100_000) }] });
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageSize: 100, pageToken });
      expect(Buffer.byteLength(JSON.stringify(page.posts))).toBeLessThan(2 << 20);
      expect(page.posts.length).toBeGreaterThan(page.nextPageToken === '' ? 0 : 2);
      seen.push(...page.posts.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(ids);
  });

  test('a cursor works for the list that it came from, and untouched', async () => {
    await create(3, { status: 'POST_STATUS_DRAFT' });
    const { nextPageToken: token } = await list({ statuses: ['POST_STATUS_DRAFT'] });
    const refusal = { code: 'invalid_request', param: 'cursor' };
    await expect(list({ pageToken: token })).rejects.toMatchObject(refusal);
    await expect(list({ pageToken: token, statuses: ['POST_STATUS_DRAFT'] }, aBusiness())).rejects.toMatchObject(refusal);
    const changed = Array.from({ length: token.length }, (_, index) => {
      const other = token[index] === 'A' ? 'B' : 'A';
      return token.slice(0, index) + other + token.slice(index + 1);
    });
    for (const pageToken of [...changed, `${token}A`, `${token}=`, token.slice(1), token.slice(0, -1), 'nonsense', '%%']) {
      await expect(list({ pageToken, statuses: ['POST_STATUS_DRAFT'] })).rejects.toMatchObject(refusal);
    }
  });
});

/** As many URLs of the post's own, and of an override for each further number. */
function withUrls(own: number, perOverride: readonly number[]) {
  const urls = (count: number, of: string) => Array.from({ length: count }, (_, index) => `https://example.com/${of}-${index}.jpg`);
  return {
    mediaUrls: urls(own, 'own'),
    platformOverrides: perOverride.map((count, index) => ({
      override: { platform: ['x', 'facebook'][index] ?? '' },
      mediaUrls: { urls: urls(count, `override-${index}`) },
    })),
  };
}
