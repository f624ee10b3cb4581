import { UpdatePostRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aBusiness, aCreatePost, startContent, type Call, type TestContent } from '../running-content.ts';

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

describe('media', () => {
  test('have the order of the request', async () => {
    const { businessId } = call.call.metadata;
    const ids = [content.library.add(businessId), content.library.add(businessId), content.library.add(businessId)];
    const mediaIds = [2, 0, 1, 0].map((index) => ids[index] ?? '');
    expect((await content.createPost(call, { mediaIds })).media.map(({ id }) => id)).toEqual(mediaIds);
  });

  test('that are unknown, or of another business, are named by their path', async () => {
    const ours = content.library.add(call.call.metadata.businessId);
    for (const other of [newId(), content.library.add(newId())]) {
      const rejection = { code: 'invalid_value', param: 'media_ids.1' };
      await expect(content.createPost(call, { mediaIds: [ours, other] })).rejects.toMatchObject(rejection);
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
  ])('create no post if one of them cannot be fetched: %#', async (more, param) => {
    await expect(content.createPost(call, more)).rejects.toMatchObject({ code: 'invalid_value', param });
    expect(await stored()).toBe(0);
  });

  test.each([
    [51, [], 'media_urls'],
    [0, [30, 21], 'platform_overrides.1.media_urls'],
    [49, [1, 1], 'platform_overrides.1.media_urls'],
  ])('create no post if there are more than fifty URLs, including those of overrides: %i and %j', async (own, perOverride, param) => {
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

  test('of fifty URLs are fetched eight at a time, and have the order of the request', async () => {
    const given = withUrls(20, [20, 10]);
    const imports = content.library.imports.length;
    const release = content.library.blockImports();
    const creation = content.createPost(call, given);
    await eventually(() => content.library.imports.length >= imports + 8);
    // Calls that were sent before this one have arrived when it returns.
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

  test('are not fetched any further if one cannot be fetched', async () => {
    const given = withUrls(50, []);
    const request = aCreatePost({ ...given, mediaUrls: ['https://example.com/broken.jpg', ...given.mediaUrls.slice(1)] });
    await expect(content.client.createPost(request, call)).rejects.toMatchObject({ code: 'invalid_value', param: 'media_urls.0' });
    // By the time that as many others were fetched, they would have been too.
    await content.createPost(call, given);
    expect(content.library.imports.filter(({ operationId }) => operationId === request.operationId).length).toBeLessThan(40);
  });

  test('can have a cover only of the same business, and only an image', async () => {
    const { businessId } = call.call.metadata;
    const [image, video] = [content.library.add(businessId), content.library.add(businessId, { type: 'MEDIA_TYPE_VIDEO' })];
    expect(await content.createPost(call, { coverMediaId: image })).toMatchObject({ coverMediaId: image });
    for (const coverMediaId of [video, newId(), content.library.add(newId())]) {
      await expect(content.createPost(call, { coverMediaId })).rejects.toMatchObject({ code: 'invalid_value', param: 'cover_media_id' });
    }
  });
});

/** A request with this many URLs of the post, and of each override. */
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
