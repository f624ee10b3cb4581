import { SchedulePostRequest, type Post } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { changingPosts } from '../posts/changing-posts.ts';
import { postsWithMedia } from '../posts/posts-with-media.ts';
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

const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { update, schedule, unschedule } = changingPosts(on);
const { aMedia } = postsWithMedia(on);
const inAnHour = () => new Date(Date.now() + 3600_000);
const waiting = (more = {}) => ({ status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: inAnHour(), ...more });

/** The media that each revision of a post needed, from revision 1. */
const neededBy = ({ id, revision }: Post) =>
  eventually(() => {
    const changes = content.changesOf(id);
    return changes.length >= revision && changes.map(({ neededMediaIds }) => neededMediaIds);
  });

describe('media that a post needs', () => {
  test('are reserved before it is scheduled, and its events contain them from then on', async () => {
    const [own, cover, other] = [aMedia(), aMedia(), aMedia()];
    const given = {
      mediaIds: [own, own],
      coverMediaId: cover,
      platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: [content.library.urlOf(other)] } }],
    };
    const draft = await content.createPost(call, given);
    expect(content.library.reservedFor(draft.id)).toEqual([]);
    const post = await schedule(draft);
    expect(content.library.reservedFor(post.id)).toEqual([{ holder: `post:${post.id}`, revision: 2, mediaIds: [own, other, cover] }]);
    const back = await unschedule(post);
    expect(await neededBy(back)).toEqual([[], [own, other, cover], []]);

    const scheduled = await content.createPost(call, waiting(given));
    expect(content.library.reservedFor(scheduled.id)).toMatchObject([{ revision: 1, mediaIds: [own, other, cover] }]);
    expect(await neededBy(scheduled)).toEqual([[own, other, cover]]);
  });

  test('are reserved when they are added to a scheduled post; those that it has are not reserved again', async () => {
    const [first, second] = [aMedia(), aMedia()];
    const post = await content.createPost(call, waiting({ mediaIds: [first] }));
    const before = content.library.reservations();
    const renamed = await update(post, { updateMask: ['caption'], caption: 'New' });
    expect(content.library.reservations()).toBe(before);
    const after = await update(renamed, { updateMask: ['media_ids'], mediaIds: [first, second] });
    expect(content.library.reservedFor(post.id).map(({ revision, mediaIds }) => [revision, mediaIds])).toEqual([
      [1, [first]],
      [3, [second]],
    ]);
    expect(await neededBy(after)).toEqual([[first], [first], [first, second]]);
  });

  test('are needed until every result is terminal', async () => {
    await content.connect(call, ['x', 'facebook']);
    const media = aMedia();
    const post = await content.publishPost(call, (await content.createPost(call, { mediaIds: [media] })).id);
    expect(content.library.reservedFor(post.id)).toMatchObject([{ revision: 2, mediaIds: [media] }]);
    const [one, other] = post.publishResults.map(({ deliveryId }) => ({ deliveryId, status: 'DELIVERY_STATUS_SUCCESS' as const }));
    await content.emitDeliveries(post, [{ deliveryId: '', ...one, revision: 1, publishedAt: new Date() }]);
    await content.emitDeliveries(post, [{ deliveryId: '', ...other, revision: 1, publishedAt: new Date() }]);
    expect(await neededBy({ ...post, revision: 4 })).toEqual([[], [media], [media], []]);
  });

  test('need no call for a due post, nor for the next post of its series', async () => {
    await content.connect(call, ['x']);
    const media = aMedia();
    const post = await content.createPost(call, waiting({ mediaIds: [media], repeatingCron: '0 9 * * *' }));
    const before = content.library.reservations();
    const past = new Date(Date.now() - 1_000);
    await content.posts.updateOne({ _id: post.id }, { $set: { scheduled_publish_time: past, next_due_at: past } });
    await eventually(() => content.publicationsOf(post.id).length === 1);
    const next = await eventually(async () => (await content.posts.findOne({ series_id: post.id })) ?? undefined);
    expect(await neededBy({ ...post, id: next._id, revision: 1 })).toEqual([[media]]);
    expect(content.library.reservations()).toBe(before);
  });

  test('need no call if there are none', async () => {
    await content.connect(call, ['x']);
    const before = content.library.reservations();
    const post = await content.createPost(call, waiting());
    await content.publishPost(call, (await unschedule(await schedule(post))).id);
    expect(content.library.reservations()).toBe(before);
  });

  test('have only short reservations if the request is rejected', async () => {
    const media = aMedia();
    const post = await content.createPost(call, { mediaIds: [media] });
    content.library.beforeReserved(() => update(post, { updateMask: ['caption'], caption: 'Meanwhile' }));
    const request = { operationId: newId(), postId: post.id, scheduledPublishTime: inAnHour(), expectedRevisions: [1] };
    await expect(content.client.schedulePost(SchedulePostRequest.fromPartial(request), call)).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await eventually(() => content.library.reservedFor(post.id).length === 0);
  });

  test('are reserved for the revision that commits, if the post changes in the meantime', async () => {
    const media = aMedia();
    const post = await content.createPost(call, { mediaIds: [media] });
    content.library.beforeReserved(() => update(post, { updateMask: ['caption'], caption: 'Meanwhile' }));
    const scheduled = await schedule(post);
    expect(scheduled).toMatchObject({ revision: 3, caption: 'Meanwhile', status: 'POST_STATUS_SCHEDULED' });
    await eventually(
      () =>
        content.library
          .reservedFor(post.id)
          .map(({ revision }) => revision)
          .join() === '3',
    );
  });

  test('cannot be scheduled or published if they were deleted, and the error names them', async () => {
    await content.connect(call, ['x']);
    const [media, other] = [aMedia(), aMedia()];
    const post = await content.createPost(call, { mediaIds: [other, media] });
    content.library.remove(media);
    const detail = `Media ${media} of this post was deleted. Replace it first.`;
    const rejection = { code: 'conflict', param: 'media_ids.1', message: detail };
    await expect(schedule(post)).rejects.toMatchObject(rejection);
    await expect(content.publishPost(call, post.id)).rejects.toMatchObject(rejection);
    expect(await content.getPost(call, post.id)).toMatchObject({ revision: 1, status: 'POST_STATUS_NEW', publishResults: [] });
  });

  describe('that are deleted between the read and the reservation are rejected as if they had been deleted before', () => {
    const given: readonly (readonly [string, (media: string, other: string) => object])[] = [
      ['media_ids.1', (media, other) => ({ mediaIds: [other, media] })],
      ['media_urls.1', (media, other) => ({ mediaUrls: [other, media].map(content.library.urlOf) })],
      ['cover_media_id', (media, other) => ({ mediaIds: [other], coverMediaId: media })],
      [
        'platform_overrides.0.media_urls.1',
        (media, other) => ({
          mediaIds: [other],
          platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: [other, media].map(content.library.urlOf) } }],
        }),
      ],
    ];
    test.each(given)('%s', async (param, of) => {
      const names = (more: object) => Object.keys(more).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      const raced = async (work: (more: object) => Promise<unknown>) => {
        const [media, other] = [aMedia(), aMedia()];
        content.library.beforeReserving(() => content.library.remove(media));
        await expect(work(of(media, other))).rejects.toMatchObject({
          code: 'invalid_value',
          param,
          message: expect.stringContaining(media) as string,
        });
      };
      await raced((more) => content.createPost(call, waiting(more)));
      const post = await content.createPost(call, waiting());
      await raced((more) => update(post, { updateMask: names(more), ...more }));
    });
  });

  test('while the library is unavailable, nothing that needs media is scheduled, but posts are published', async () => {
    await content.connect(call, ['x']);
    const media = aMedia();
    const [one, other] = [await content.createPost(call, { mediaIds: [media] }), await content.createPost(call, { mediaIds: [media] })];
    content.library.setUnavailable(true);
    try {
      await expect(schedule(one)).rejects.toMatchObject({ code: 'internal_error' });
      const sent = await content.publishPost(call, other.id);
      expect(await neededBy(sent)).toEqual([[], [media]]);
    } finally {
      content.library.setUnavailable(false);
    }
  });
});

describe('media that a post cannot use', () => {
  const rejections: readonly (readonly [string, () => string, string])[] = [
    ['audio', () => aMedia({ type: 'MEDIA_TYPE_AUDIO' }), 'audio'],
    [
      'still being processed',
      () => content.library.addUnready(call.call.metadata.businessId, 'MEDIA_STATUS_PROCESSING'),
      'still being processed',
    ],
    [
      'failed',
      () =>
        content.library.addUnready(call.call.metadata.businessId, 'MEDIA_STATUS_FAILED', {
          code: 'invalid_value',
          detail: 'The file is not an image.',
        }),
      'The file is not an image.',
    ],
    ['unknown', newId, 'no media with this id'],
  ];
  test.each(rejections)('are rejected by name if they are %s', async (_what, make, detail) => {
    const [good, bad] = [aMedia(), make()];
    const rejection = { code: 'invalid_value', param: 'media_ids.1', message: expect.stringContaining(detail) };
    await expect(content.createPost(call, { mediaIds: [good, bad] })).rejects.toMatchObject(rejection);
    await expect(update(await content.createPost(call), { updateMask: ['media_ids'], mediaIds: [good, bad] })).rejects.toMatchObject(
      rejection,
    );
    const { findings } = await content.client.validatePost({ post: aCreatePost({ mediaIds: [good, bad] }) }, call);
    expect(findings).toContainEqual(expect.objectContaining({ ruleId: 'media_unknown', field: 'media_ids.1' }));
  });

  test.each(['toString', '__proto__'])('a URL such as %s is not one of the library, and is left to it to reject', async (url) => {
    await content.createPost(call, { mediaUrls: [url] });
    expect(content.library.imports).toContainEqual(expect.objectContaining({ url }));
  });

  test('audio under one of our own URLs is rejected, also in an override', async () => {
    const url = content.library.urlOf(aMedia({ type: 'MEDIA_TYPE_AUDIO' }));
    await expect(content.createPost(call, { mediaUrls: [url] })).rejects.toMatchObject({ code: 'invalid_value', param: 'media_urls.0' });
    const platformOverrides = [{ override: { platform: 'x' }, mediaUrls: { urls: [url] } }];
    await expect(content.createPost(call, { platformOverrides })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'platform_overrides.0.media_urls.0',
    });
  });

  test('transcripts that exceed the limit of a post are left out, from its end', async () => {
    const long = 'a'.repeat(600_000);
    const [one, two] = [aMedia({ transcript: long }), aMedia({ transcript: long })];
    const post = await content.createPost(call, { mediaIds: [one, two] });
    expect(post.media.map(({ transcript }) => transcript.length)).toEqual([600_000, 0]);
  });
});
