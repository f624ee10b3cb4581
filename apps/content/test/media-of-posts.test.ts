import { topics } from '@fanfare/contracts';
import { Media } from '@fanfare/contracts/library';
import { MediaChanged, type MediaChange } from '@fanfare/contracts/library/events';
import { SchedulePostRequest, UpdatePostRequest, type Post } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { migrations } from '../src/store/migrations.ts';
import { findPostsWithMedia } from '../src/store/post-media.ts';
import { aBusiness, aCreatePost, aList, aScheduledPost, startContent, type Call, type TestContent } from './running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const inAnHour = () => new Date(Date.now() + 3600_000);
const waiting = (more = {}) => ({ status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: inAnHour(), ...more });
const aMedia = (more: Partial<Media> = {}) => content.library.add(call.call.metadata.businessId, more);
const need = (post: Post | undefined): Post => post ?? aMissing();
const aMissing = (): never => {
  throw new Error('No post.');
};
type Given<T extends { fromPartial(value: never): unknown }> = Parameters<T['fromPartial']>[0];
const update = async ({ id: postId }: Post, more: Given<typeof UpdatePostRequest>) =>
  need((await content.client.updatePost(UpdatePostRequest.fromPartial({ operationId: newId(), postId, ...more }), call)).post);
const schedule = async ({ id: postId }: Post) =>
  need(
    (
      await content.client.schedulePost(
        SchedulePostRequest.fromPartial({ operationId: newId(), postId, scheduledPublishTime: inAnHour() }),
        call,
      )
    ).post,
  );
const unschedule = async ({ id: postId }: Post) =>
  need((await content.client.unschedulePost({ operationId: newId(), postId, expectedRevisions: [] }, call)).post);

/** Media that a post said it needs, at its revisions from 1. */
const neededBy = ({ id, revision }: Post) =>
  eventually(() => {
    const changes = content.changesOf(id);
    return changes.length >= revision && changes.map(({ neededMediaIds }) => neededMediaIds);
  });

let mediaRevision = 1;
/** The library's news of a media. */
async function tellOf(mediaId: string, change: MediaChange, more: Partial<Media> = {}, revision = ++mediaRevision): Promise<void> {
  const { organizationId, businessId } = call.call.metadata;
  const media =
    change === 'MEDIA_CHANGE_DELETED' ? undefined : Media.fromPartial({ id: mediaId, businessId, type: 'MEDIA_TYPE_IMAGE', ...more });
  const data = MediaChanged.fromPartial({ mediaId, organizationId, businessId, revision, change, media });
  await content.peer.emit(topics.mediaChanged, [
    { emission: { subject: mediaId, revision, organizationId, businessId, flowId: 'flow' }, data },
  ]);
}

describe('media that a post needs', () => {
  test('are reserved before it is scheduled, and its events say what it needs from then on', async () => {
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

  test('are reserved when they are added to a scheduled post; what it has is not asked for again', async () => {
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

  test('stay needed until every result is terminal', async () => {
    await content.connect(call, ['x', 'facebook']);
    const media = aMedia();
    const post = await content.publishPost(call, (await content.createPost(call, { mediaIds: [media] })).id);
    expect(content.library.reservedFor(post.id)).toMatchObject([{ revision: 2, mediaIds: [media] }]);
    const [one, other] = post.publishResults.map(({ deliveryId }) => ({ deliveryId, status: 'DELIVERY_STATUS_SUCCESS' as const }));
    await content.tell(post, [{ deliveryId: '', ...one, revision: 1, publishedAt: new Date() }]);
    await content.tell(post, [{ deliveryId: '', ...other, revision: 1, publishedAt: new Date() }]);
    expect(await neededBy({ ...post, revision: 4 })).toEqual([[], [media], [media], []]);
  });

  test('a due post asks nobody, and neither does the next of its series', async () => {
    await content.connect(call, ['x']);
    const media = aMedia();
    const post = await content.createPost(call, waiting({ mediaIds: [media], repeatingCron: '0 9 * * *' }));
    const before = content.library.reservations();
    await content.posts.updateOne({ _id: post.id }, { $set: { scheduled_publish_time: new Date(0), next_due_at: new Date(1) } });
    await eventually(() => content.publicationsOf(post.id).length === 1);
    const next = await eventually(async () => (await content.posts.findOne({ series_id: post.id })) ?? undefined);
    expect(await neededBy({ ...post, id: next._id, revision: 1 })).toEqual([[media]]);
    expect(content.library.reservations()).toBe(before);
  });

  test('posts without media ask nobody', async () => {
    await content.connect(call, ['x']);
    const before = content.library.reservations();
    const post = await content.createPost(call, waiting());
    await content.publishPost(call, (await unschedule(await schedule(post))).id);
    expect(content.library.reservations()).toBe(before);
  });

  test('what is refused reserves nothing for long', async () => {
    const media = aMedia();
    const post = await content.createPost(call, { mediaIds: [media] });
    content.library.beforeReserved(() => update(post, { updateMask: ['caption'], caption: 'Meanwhile' }));
    const request = { operationId: newId(), postId: post.id, scheduledPublishTime: inAnHour(), expectedRevisions: [1] };
    await expect(content.client.schedulePost(SchedulePostRequest.fromPartial(request), call)).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await eventually(() => content.library.reservedFor(post.id).length === 0);
  });

  test('when the post changes meanwhile, they are reserved for the revision that commits', async () => {
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

  test('what is gone cannot be scheduled or sent, and is named', async () => {
    await content.connect(call, ['x']);
    const [media, other] = [aMedia(), aMedia()];
    const post = await content.createPost(call, { mediaIds: [other, media] });
    content.library.remove(media);
    const detail = `Media ${media} of this post is not there any more: give the post others first.`;
    const refusal = { code: 'invalid_request', param: 'media_ids.1', message: detail };
    await expect(schedule(post)).rejects.toMatchObject(refusal);
    await expect(content.publishPost(call, post.id)).rejects.toMatchObject(refusal);
    expect(await content.getPost(call, post.id)).toMatchObject({ revision: 1, status: 'POST_STATUS_NEW', publishResults: [] });
  });

  describe('that go between the look at them and the reservation are refused as if they had been gone before', () => {
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

  test('while the library is away nothing is scheduled that needs it, but what is to be sent is sent', async () => {
    await content.connect(call, ['x']);
    const media = aMedia();
    const [one, other] = [await content.createPost(call, { mediaIds: [media] }), await content.createPost(call, { mediaIds: [media] })];
    content.library.setAway(true);
    try {
      await expect(schedule(one)).rejects.toMatchObject({ code: 'internal_error' });
      const sent = await content.publishPost(call, other.id);
      expect(await neededBy(sent)).toEqual([[], [media]]);
    } finally {
      content.library.setAway(false);
    }
  });
});

describe('what the library says of media', () => {
  test('is shown by posts that have them, prose before alternative text, and changes no revision', async () => {
    const plain = aMedia({ altText: 'A loaf' });
    const told = aMedia({ altText: 'A loaf', description: 'Bread on a table', transcript: 'Good morning' });
    const override = { override: { platform: 'x' }, mediaUrls: { urls: [content.library.urlOf(plain)] } };
    const post = await content.createPost(call, { mediaIds: [plain, told], platformOverrides: [override] });
    expect(post.media.map(({ description, transcript }) => [description, transcript])).toEqual([
      ['A loaf', ''],
      ['Bread on a table', 'Good morning'],
    ]);
    await tellOf(plain, 'MEDIA_CHANGE_UPDATED', { altText: 'Two loaves', transcript: 'Bread!' });
    const after = await eventually(async () => {
      const now = await content.getPost(call, post.id);
      return now.mediaRevision > 0 && now;
    });
    const text = { id: plain, description: 'Two loaves', transcript: 'Bread!' };
    expect(after).toMatchObject({ revision: 1, updatedAt: post.updatedAt, media: [text, { description: 'Bread on a table' }] });
    expect(after.platformOverrides[0]?.media?.items).toMatchObject([text]);
    expect(await update(after, { updateMask: ['caption'], caption: 'New', expectedRevisions: [1] })).toMatchObject({
      revision: 2,
      media: [text, {}],
    });
  });

  test('is told in the order of its revisions, to every post there is, once', async () => {
    const media = aMedia();
    const { businessId } = call.call.metadata;
    const item = { id: media, url: '', type: 'image', description: '', transcript: '', duration: 0, facts: undefined };
    const many = Array.from({ length: 230 }, () => aScheduledPost(call, inAnHour(), { media: [item], media_ids: [media] }));
    await content.posts.insertMany(many);
    await tellOf(media, 'MEDIA_CHANGE_UPDATED', { description: 'Newer' }, 1_000);
    await tellOf(media, 'MEDIA_CHANGE_UPDATED', { description: 'Older' }, 999);
    const told = { business_id: businessId, 'media.description': 'Newer', media_revision: 1, revision: 1 };
    await eventually(async () => (await content.posts.countDocuments(told)) === many.length);
    // A second round is due later on: it finds nothing to do.
    const news = content.db.collection<{ _id: string; due_at: Date; is_told?: boolean }>('media_news');
    await eventually(async () => (await news.findOne({ _id: media, is_told: true })) ?? undefined);
    await news.updateOne({ _id: media }, { $set: { due_at: new Date(0) } });
    await eventually(async () => (await news.countDocuments({ _id: media })) === 0);
    expect(await content.posts.countDocuments(told)).toBe(many.length);
  });

  test('finds posts by their media, and reads no others', async () => {
    const mediaId = aMedia();
    await content.createPost(call, { mediaIds: [mediaId] });
    await content.createPost(call, { mediaIds: [aMedia()] });
    await content.db.command({ profile: 2 });
    await findPostsWithMedia(content.db, { businessId: call.call.metadata.businessId, mediaId }, '', 100);
    await content.db.command({ profile: 0 });
    const [read] = await content.db
      .collection('system.profile')
      .find({ op: 'query', 'command.find': 'posts', 'command.filter.media_ids': mediaId })
      .toArray();
    expect(read).toMatchObject({
      planSummary: expect.stringContaining('media_ids') as string,
      keysExamined: 1,
      docsExamined: 0,
      nreturned: 1,
    });
  });

  test('does not touch what is published, or of another business', async () => {
    const media = aMedia({ altText: 'As published' });
    const published = await content.createPost(call, { mediaIds: [media], status: 'POST_STATUS_PUBLISHED' });
    const draft = await content.createPost(call, { mediaIds: [media] });
    const mine = call;
    call = aBusiness();
    await tellOf(media, 'MEDIA_CHANGE_UPDATED', { altText: 'Foreign' });
    call = mine;
    await tellOf(media, 'MEDIA_CHANGE_UPDATED', { altText: 'Later' });
    await eventually(async () => (await content.getPost(call, draft.id)).media[0]?.description === 'Later');
    expect((await content.getPost(call, published.id)).media[0]?.description).toBe('As published');
  });

  test('posts of the version before are found too', async () => {
    const media = aMedia();
    const item = { id: media, url: '', type: 'image', description: '', transcript: '', duration: 0, facts: undefined };
    const [own, override, cover, none] = [
      aScheduledPost(call, inAnHour(), { media: [item] }),
      aScheduledPost(call, inAnHour(), { platform_overrides: [{ options: undefined, platform: 'x', media: { items: [item] } }] }),
      aScheduledPost(call, inAnHour(), { cover_media_id: media }),
      aScheduledPost(call, inAnHour(), { platform_overrides: [{ platform: 'x' } as never] }),
    ];
    await content.posts.insertMany([own, override, cover, none]);
    await migrations.find(({ id }) => id === '0006-media-of-posts')?.up(content.db);
    const noted = await content.posts.find({ business_id: own.business_id, media_ids: [media] }).toArray();
    expect(noted.map(({ _id }) => _id).sort()).toEqual([own._id, override._id, cover._id].sort());
    expect(await content.posts.findOne({ _id: none._id })).not.toHaveProperty('media_ids');
  });
});

describe('a media that is deleted all the same', () => {
  beforeEach(async () => {
    await content.connect(call, ['x']);
  });
  const atRisk = (post: Post) =>
    eventually(async () => ((await content.getPost(call, post.id)).atRisk.length > 0 ? content.getPost(call, post.id) : false));

  test('puts posts that wait for their time at risk, until they have others', async () => {
    const [gone, good] = [aMedia(), aMedia()];
    const post = await content.createPost(call, waiting({ mediaIds: [gone, good] }));
    const draft = await content.createPost(call, { mediaIds: [gone] });
    content.library.remove(gone);
    await tellOf(gone, 'MEDIA_CHANGE_DELETED');
    const risky = await atRisk(post);
    expect(risky).toMatchObject({ revision: 1, atRisk: [{ code: 'media_deleted', mediaId: gone }] });
    const { posts } = await content.client.listPosts(aList(), call);
    expect(posts.map(({ id, atRisk: risks }) => [id, risks.length])).toEqual([
      [draft.id, 0],
      [post.id, 1],
    ]);
    const renamed = await update(risky, { updateMask: ['caption'], caption: 'New', expectedRevisions: [1] });
    expect(renamed.atRisk).toHaveLength(1);
    expect(await update(renamed, { updateMask: ['media_ids'], mediaIds: [good] })).toMatchObject({ atRisk: [], media: [{ id: good }] });
  });

  test('is no risk to what is not scheduled any more', async () => {
    const gone = aMedia();
    const post = await content.createPost(call, waiting({ mediaIds: [gone] }));
    await tellOf(gone, 'MEDIA_CHANGE_DELETED');
    expect((await unschedule(await atRisk(post))).atRisk).toEqual([]);
    expect((await content.posts.findOne({ _id: post.id }))?.at_risk).toBeUndefined();
  });
});

describe('media that no post can have', () => {
  const refusals: readonly (readonly [string, () => string, string])[] = [
    ['sound', () => aMedia({ type: 'MEDIA_TYPE_AUDIO' }), 'sound'],
    [
      'what is still processed',
      () => content.library.addUnready(call.call.metadata.businessId, 'MEDIA_STATUS_PROCESSING'),
      'still being processed',
    ],
    [
      'what failed',
      () =>
        content.library.addUnready(call.call.metadata.businessId, 'MEDIA_STATUS_FAILED', {
          code: 'invalid_value',
          detail: 'It is no picture.',
        }),
      'It is no picture.',
    ],
    ['what is not there', newId, 'no media with that id'],
  ];
  test.each(refusals)('%s is refused, and named', async (_what, make, detail) => {
    const [good, bad] = [aMedia(), make()];
    const refusal = { code: 'invalid_value', param: 'media_ids.1', message: expect.stringContaining(detail) };
    await expect(content.createPost(call, { mediaIds: [good, bad] })).rejects.toMatchObject(refusal);
    await expect(update(await content.createPost(call), { updateMask: ['media_ids'], mediaIds: [good, bad] })).rejects.toMatchObject(
      refusal,
    );
    const { findings } = await content.client.validatePost({ post: aCreatePost({ mediaIds: [good, bad] }) }, call);
    expect(findings).toContainEqual(expect.objectContaining({ ruleId: 'media_unknown', field: 'media_ids.1' }));
  });

  test('sound under one of our own URLs is refused, also of an override', async () => {
    const url = content.library.urlOf(aMedia({ type: 'MEDIA_TYPE_AUDIO' }));
    await expect(content.createPost(call, { mediaUrls: [url] })).rejects.toMatchObject({ code: 'invalid_value', param: 'media_urls.0' });
    const platformOverrides = [{ override: { platform: 'x' }, mediaUrls: { urls: [url] } }];
    await expect(content.createPost(call, { platformOverrides })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'platform_overrides.0.media_urls.0',
    });
  });

  test('transcripts that a post has no room for are left out, from its end', async () => {
    const long = 'a'.repeat(600_000);
    const [one, two] = [aMedia({ transcript: long }), aMedia({ transcript: long })];
    const post = await content.createPost(call, { mediaIds: [one, two] });
    expect(post.media.map(({ transcript }) => transcript.length)).toEqual([600_000, 0]);
  });
});
