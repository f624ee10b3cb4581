import type { Post } from '@fanfare/contracts/content';
import { eventually } from '@fanfare/testing';
import { mediaUpdateRows } from '../../src/media/store/media-updates.ts';
import { migrations } from '../../src/migrations.ts';
import { findPostsWithMedia } from '../../src/posts/store/post-media.ts';
import { changingPosts } from '../posts/changing-posts.ts';
import { postsWithMedia } from '../posts/posts-with-media.ts';
import { aBusiness, aList, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';

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
const { update, unschedule } = changingPosts(on);
const { aMedia, emitMediaChange } = postsWithMedia(on);
const inAnHour = () => new Date(Date.now() + 3600_000);
const waiting = (more = {}) => ({ status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: inAnHour(), ...more });

describe('the texts of media in the library', () => {
  test('are shown by posts that have the media, description before alternative text, and change no revision', async () => {
    const plain = aMedia({ altText: 'A loaf' });
    const described = aMedia({ altText: 'A loaf', description: 'Bread on a table', transcript: 'Good morning' });
    const override = { override: { platform: 'x' }, mediaUrls: { urls: [content.library.urlOf(plain)] } };
    const post = await content.createPost(call, { mediaIds: [plain, described], platformOverrides: [override] });
    expect(post.media.map(({ description, transcript }) => [description, transcript])).toEqual([
      ['A loaf', ''],
      ['Bread on a table', 'Good morning'],
    ]);
    await emitMediaChange(plain, 'MEDIA_CHANGE_UPDATED', { altText: 'Two loaves', transcript: 'Bread!' });
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

  test('are updated in the order of their revisions, once in every post', async () => {
    const media = aMedia();
    const { businessId } = call.call.metadata;
    const item = { id: media, url: '', type: 'image', description: '', transcript: '', duration: 0, facts: undefined };
    const many = Array.from({ length: 230 }, () => aScheduledPost(call, inAnHour(), { media: [item], media_ids: [media] }));
    await content.posts.insertMany(many);
    await emitMediaChange(media, 'MEDIA_CHANGE_UPDATED', { description: 'Newer' }, 1_000);
    await emitMediaChange(media, 'MEDIA_CHANGE_UPDATED', { description: 'Older' }, 999);
    const updated = { business_id: businessId, 'media.description': 'Newer', media_revision: 1, revision: 1 };
    await eventually(async () => (await content.posts.countDocuments(updated)) === many.length);
    // A second round is due later. It finds nothing to do.
    const rows = content.db.collection<{ _id: string; due_at: Date; is_told?: boolean }>('media_news');
    await eventually(async () => (await rows.findOne({ _id: media, is_told: true })) ?? undefined);
    await rows.updateOne({ _id: media }, { $set: { due_at: new Date(0) } });
    mediaUpdateRows.wakeWorkers(content.db);
    await eventually(async () => (await rows.countDocuments({ _id: media })) === 0);
    expect(await content.posts.countDocuments(updated)).toBe(many.length);
  });

  test('are updated in posts that an index finds by their media', async () => {
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

  test('are not updated in published posts, nor in those of other businesses', async () => {
    const media = aMedia({ altText: 'As published' });
    const published = await content.createPost(call, { mediaIds: [media], status: 'POST_STATUS_PUBLISHED' });
    const draft = await content.createPost(call, { mediaIds: [media] });
    const mine = call;
    call = aBusiness();
    await emitMediaChange(media, 'MEDIA_CHANGE_UPDATED', { altText: 'Foreign' });
    call = mine;
    await emitMediaChange(media, 'MEDIA_CHANGE_UPDATED', { altText: 'Later' });
    await eventually(async () => (await content.getPost(call, draft.id)).media[0]?.description === 'Later');
    expect((await content.getPost(call, published.id)).media[0]?.description).toBe('As published');
  });

  test('are also updated in posts of the previous version', async () => {
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

describe('media that are deleted although posts need them', () => {
  beforeEach(async () => {
    await content.connect(call, ['x']);
  });
  const atRisk = (post: Post) =>
    eventually(async () => ((await content.getPost(call, post.id)).atRisk.length > 0 ? content.getPost(call, post.id) : false));

  test('put scheduled posts at risk until they get other media', async () => {
    const [deleted, good] = [aMedia(), aMedia()];
    const post = await content.createPost(call, waiting({ mediaIds: [deleted, good] }));
    const draft = await content.createPost(call, { mediaIds: [deleted] });
    content.library.remove(deleted);
    await emitMediaChange(deleted, 'MEDIA_CHANGE_DELETED');
    const risky = await atRisk(post);
    expect(risky).toMatchObject({ revision: 1, atRisk: [{ code: 'media_deleted', mediaId: deleted }] });
    const [, reported] = await eventually(() => content.changesOf(post.id).length === 2 && content.changesOf(post.id));
    expect(reported).toMatchObject({ changes: ['POST_CHANGE_AT_RISK'], revision: 1, post: { atRisk: [{ code: 'media_deleted' }] } });
    const { posts } = await content.client.listPosts(aList(), call);
    expect(posts.map(({ id, atRisk: risks }) => [id, risks.length])).toEqual([
      [draft.id, 0],
      [post.id, 1],
    ]);
    const renamed = await update(risky, { updateMask: ['caption'], caption: 'New', expectedRevisions: [1] });
    expect(renamed.atRisk).toHaveLength(1);
    expect(await update(renamed, { updateMask: ['media_ids'], mediaIds: [good] })).toMatchObject({ atRisk: [], media: [{ id: good }] });
  });

  test('are no risk for posts that are no longer scheduled', async () => {
    const deleted = aMedia();
    const post = await content.createPost(call, waiting({ mediaIds: [deleted] }));
    await emitMediaChange(deleted, 'MEDIA_CHANGE_DELETED');
    expect((await unschedule(await atRisk(post))).atRisk).toEqual([]);
    expect((await content.posts.findOne({ _id: post.id }))?.at_risk).toBeUndefined();
  });
});
