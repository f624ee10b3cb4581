import { SchedulePostRequest, type Post } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';
import type { IntegrationStatus } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
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
const inAnHour = () => new Date(Date.now() + 3600_000);
const waiting = (more = {}) => ({ status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: inAnHour(), ...more });
const { update } = changingPosts(on);
const { aMedia: add, emitMediaChange } = postsWithMedia(on);
const jpeg = { mimeType: 'image/jpeg', sizeBytes: 90_000, width: 1_080, height: 1_080 };
const aMedia = (more: Partial<Media> = {}) => add({ ...jpeg, ...more });
const risks = ({ atRisk }: Post) => atRisk.map(({ code, platform, field }) => [code, platform ?? '', field ?? ''].join(' '));
const read = async (id: string) => risks(await content.getPost(call, id));
/** What events have reported of a post: its changes, and its risks after them. */
const reported = (id: string) =>
  content
    .changesOf(id)
    .map(({ changes, revision, post }) => [
      revision,
      changes.map((name) => name.replace('POST_CHANGE_', '')).join(),
      post ? risks(post) : [],
    ]);
/** Waits until this many events of a post were received. */
const reportedTimes = (id: string, count: number) => eventually(() => reported(id).length >= count && reported(id));
const account = async (
  platform: string,
  more: { id?: string; settings?: object; revision?: number; status?: IntegrationStatus; accessEndsAt?: Date } = {},
): Promise<string> => {
  const { id = newId(), settings = {}, revision = 1, status = 'INTEGRATION_STATUS_CONNECTED', accessEndsAt } = more;
  const { organizationId, businessId } = call.call.metadata;
  await content.announce({ id, organizationId, businessId, platform, status, settings, accessEndsAt }, revision);
  const rows = content.db.collection<{ _id: string; revision: number }>('integrations');
  await eventually(async () => (await rows.countDocuments({ _id: id, revision })) === 1);
  return id;
};

test('a scheduled post lists the accounts that must be connected or reconnected before its time', async () => {
  const { id } = await content.createPost(call, waiting());
  expect(await read(id)).toEqual(['target_not_connected  ']);
  await content.connect(call, ['facebook']);
  expect(await read(id)).toEqual([]);
  await content.connect(call, ['x'], 'INTEGRATION_STATUS_EXPIRED');
  expect(await read(id)).toEqual(['account_expired x ']);
  const named = await content.createPost(call, waiting({ restrictPublishTo: ['linkedin', 'facebook'] }));
  expect(await read(named.id)).toEqual(['target_not_connected linkedin restrict_publish_to.0']);
});

test('a scheduled post lists what its platforms would reject, and is still created', async () => {
  await content.connect(call, ['x', 'facebook']);
  const post = await content.createPost(call, waiting({ caption: 'Bread '.repeat(60) }));
  expect(post).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    atRisk: [
      {
        code: 'caption_max_length',
        detail: '360 characters; at most 280 are allowed.',
        platform: 'x',
        field: 'caption',
        limit: 280,
        value: 360,
        source: expect.stringMatching(/^https:/) as string,
        fix: [{ op: 'add', path: '/platform_overrides', value: [{ platform: 'x', caption: expect.stringMatching(/…$/) as string }] }],
      },
    ],
  });
  expect(post.atRisk[0]?.mediaId).toBeUndefined();
  expect(await read(post.id)).toEqual(['caption_max_length x caption']);
  const { posts } = await content.client.listPosts(aList(), call);
  expect(posts.map(risks)).toEqual([['caption_max_length x caption']]);

  expect(risks(await update(post, { updateMask: ['caption'], caption: 'Bread' }))).toEqual([]);
  expect(await read(post.id)).toEqual([]);
  const again = await update(post, {
    updateMask: ['platform_overrides'],
    platformOverrides: [{ override: { platform: 'x', caption: '$AA $BB' } }],
  });
  expect(again.atRisk).toMatchObject([
    {
      code: 'caption_max_cashtags',
      field: 'platform_overrides.0.caption',
      fix: [{ op: 'add', path: '/platform_overrides/0/caption', value: '$AA BB' }],
    },
  ]);
});

test('a post is at risk only while it is scheduled', async () => {
  await content.connect(call, ['instagram']);
  const draft = await content.createPost(call);
  expect(draft.atRisk).toEqual([]);
  const request = SchedulePostRequest.fromPartial({ operationId: newId(), postId: draft.id, scheduledPublishTime: inAnHour() });
  const { post: scheduled } = await content.client.schedulePost(request, call);
  expect(scheduled && risks(scheduled)).toEqual(['media_required instagram media_urls']);
  const { post: back } = await content.client.unschedulePost({ operationId: newId(), postId: draft.id, expectedRevisions: [] }, call);
  expect(back && risks(back)).toEqual([]);
});

test('a risk about media names the media, including those of an override', async () => {
  await content.connect(call, ['instagram', 'x']);
  const [square, wide, heavy] = [aMedia(), aMedia({ width: 3_000 }), aMedia({ mimeType: 'image/gif', sizeBytes: 16_000_000 })];
  const given = {
    mediaIds: [square, wide],
    platformOverrides: [{ override: { platform: 'x' }, mediaUrls: { urls: [content.library.urlOf(heavy)] } }],
  };
  const { atRisk } = await content.createPost(call, waiting(given));
  expect(atRisk.map(({ code, platform, field, mediaId }) => [code, platform, field, mediaId])).toEqual([
    ['media_ratio', 'instagram', 'media_urls.1', wide],
    ['media_max_bytes', 'x', 'platform_overrides.0.media_urls.0', heavy],
  ]);
});

test('risks follow changes of the accounts of the business and of their settings', async () => {
  const post = await content.createPost(call, waiting({ mediaIds: [aMedia()], restrictPublishTo: ['pinterest'] }));
  expect(risks(post)).toEqual(['target_not_connected pinterest restrict_publish_to.0']);
  const id = await account('pinterest');
  const [missing = ''] = await read(post.id);
  expect(missing).toBe('options_required pinterest platform_overrides.0.options.board_id');
  const { posts } = await content.client.listPosts(aList(), call);
  expect(posts.map(risks)).toEqual([[missing]]);
  await account('pinterest', { id, settings: { board_id: '17' }, revision: 2 });
  expect(await content.getPost(call, post.id)).toMatchObject({ atRisk: [], revision: post.revision, updatedAt: post.updatedAt });
  await account('pinterest');
  expect(await read(post.id)).toEqual([missing]);
});

test('an account without stored settings has no risk because of its settings', async () => {
  const id = await account('tiktok');
  const post = await content.createPost(call, waiting({ mediaIds: [aMedia()] }));
  expect(risks(post)).toEqual(['options_required tiktok platform_overrides.0.options.privacy_level']);
  await content.db.collection<{ _id: string }>('integrations').updateOne({ _id: id }, { $unset: { settings: 1 } });
  expect(await read(post.id)).toEqual([]);
});

test('media of posts of the previous version are not checked until the media change', async () => {
  await content.connect(call, ['instagram']);
  const mediaId = aMedia({ width: 3_000 });
  const item = { id: mediaId, url: '', type: 'image', description: '', transcript: '', duration: 0 } as never;
  const row = aScheduledPost(call, inAnHour(), { media: [item], media_ids: [mediaId] });
  await content.posts.insertOne(row);
  expect(await read(row._id)).toEqual([]);
  await emitMediaChange(mediaId, 'MEDIA_CHANGE_UPDATED', { ...jpeg, width: 3_000 });
  await eventually(async () => (await read(row._id)).length > 0);
  expect(await read(row._id)).toEqual(['media_ratio instagram media_urls.0']);
});

test('a claimed post has results and is no longer at risk', async () => {
  await content.connect(call, ['x']);
  const post = await content.createPost(call, waiting({ caption: 'a'.repeat(281) }));
  expect(risks(post)).toEqual(['caption_max_length x caption']);
  expect(risks(await content.publishPost(call, post.id))).toEqual([]);
});

test('events report each risk once, for as long as it lasts', async () => {
  await content.connect(call, ['x']);
  const long = 'caption_max_length x caption';
  const post = await content.createPost(call, waiting({ caption: 'a'.repeat(281) }));
  const edit = async (caption: string) => expect(await update(post, { updateMask: ['caption'], caption })).toBeDefined();
  await edit('a'.repeat(290));
  await edit('a');
  await edit('a'.repeat(300));
  expect(await reportedTimes(post.id, 4)).toEqual([
    [1, 'CREATED,SCHEDULED,AT_RISK', [long]],
    [2, 'UPDATED', [long]],
    [3, 'UPDATED', []],
    [4, 'UPDATED,AT_RISK', [long]],
  ]);
});

test('an account that must be reconnected puts waiting posts at risk, and no others; their revisions stay the same', async () => {
  const id = await account('facebook');
  const post = await content.createPost(call, waiting());
  const draft = await content.createPost(call);
  const later = await content.createPost(call, waiting());
  await account('facebook', { id, revision: 2, status: 'INTEGRATION_STATUS_EXPIRED' });
  const expired = [1, 'AT_RISK', ['account_expired facebook ']];
  expect((await reportedTimes(post.id, 2)).slice(1)).toEqual([expired]);
  expect((await reportedTimes(later.id, 2)).slice(1)).toEqual([expired]);
  await account('facebook', { id, revision: 3 });
  await eventually(async () => (await content.posts.countDocuments({ _id: post.id, risks_told: { $exists: true } })) === 0);
  await account('facebook', { id, revision: 4, status: 'INTEGRATION_STATUS_EXPIRED' });
  expect((await reportedTimes(post.id, 3)).slice(2)).toEqual([expired]);
  expect(await content.getPost(call, post.id)).toMatchObject({ revision: 1, updatedAt: post.updatedAt });
  expect(reported(draft.id)).toEqual([[1, 'CREATED', []]]);
});

test('a post is at risk if the access to an account ends before its time, whichever of them changes', async () => {
  const ends = (ms: number) => new Date(inAnHour().getTime() + ms);
  const id = await account('linkedin', { accessEndsAt: ends(60_000) });
  const post = await content.createPost(call, waiting());
  expect(risks(post)).toEqual([]);
  const later = await update(post, { updateMask: ['scheduled_publish_time'], scheduledPublishTime: ends(120_000) });
  expect(later.atRisk).toMatchObject([{ code: 'access_ends', platform: 'linkedin', detail: expect.stringContaining(id) }]);
  await account('linkedin', { id, accessEndsAt: ends(180_000), revision: 2 });
  expect(await read(post.id)).toEqual([]);
  await account('linkedin', { id, accessEndsAt: ends(0), revision: 3 });
  const endings = () => reported(post.id).filter(([, changes]) => String(changes).includes('AT_RISK'));
  expect((await eventually(() => endings().length > 1 && endings())).at(-1)).toEqual([2, 'AT_RISK', ['access_ends linkedin ']]);
  // An account that must be reconnected already has no end of access.
  await account('linkedin', { id, accessEndsAt: ends(0), revision: 4, status: 'INTEGRATION_STATUS_EXPIRED' });
  expect(await read(post.id)).toEqual(['account_expired linkedin ']);
});

test('a change of the limits of platforms lets the posts of all businesses be checked again, once', async () => {
  await content.connect(call, ['x']);
  const row = aScheduledPost(call, inAnHour(), { caption: 'a'.repeat(281) });
  await content.posts.insertOne(row);
  const listed = async () => (await content.client.listPosts(aList({ atRisk: true }), call)).posts.map(({ id }) => id);
  const { recheckIfChanged } = await import('../../src/risks/recheck-after-release.ts');
  await recheckIfChanged(content.context, 'of the next release');
  expect(await eventually(async () => (await listed()).length > 0 && listed())).toEqual([row._id]);
  await content.posts.updateOne({ _id: row._id }, { $unset: { risks_told: 1 } });
  const rows = content.db.collection('risk_checks');
  const before = await rows.find().toArray();
  await recheckIfChanged(content.context, 'of the next release');
  expect((await rows.find().toArray()).length).toBeLessThanOrEqual(before.length);
});

test('the event of a deleted post has the post as it was, with its time and risks', async () => {
  const post = await content.createPost(call, waiting());
  await content.client.deletePost({ operationId: newId(), postId: post.id, expectedRevisions: [] }, call);
  await reportedTimes(post.id, 2);
  const [, deleted] = content.changesOf(post.id);
  expect(deleted).toMatchObject({
    changes: ['POST_CHANGE_DELETED'],
    revision: 2,
    neededMediaIds: [],
    post: { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: post.scheduledPublishTime, atRisk: [{ code: 'target_not_connected' }] },
  });
});

test('the next post of a series that is at risk says so with its first event', async () => {
  await account('facebook');
  const { id } = await content.createPost(
    call,
    waiting({ caption: 'a'.repeat(281), repeatingCron: '0 9 * * *', restrictPublishTo: ['facebook', 'x'] }),
  );
  await content.publishPost(call, id);
  const [next] = await eventually(async () => {
    const found = await content.posts.find({ series_id: id, _id: { $ne: id } }).toArray();
    return found.length > 0 && found;
  });
  const [[, changes] = []] = await reportedTimes(next!._id, 1);
  expect(changes).toBe('CREATED,SCHEDULED,AT_RISK');
});

test('a page ends early if its risks would make it larger than 2 MiB', async () => {
  await content.connect(call, ['facebook', 'linkedin', 'google_business', 'x', 'youtube']);
  const rows = Array.from({ length: 24 }, () => aScheduledPost(call, inAnHour(), { caption: `#a $B <${'é'.repeat(40_000)}` }));
  await content.posts.insertMany(rows);
  const seen: string[] = [];
  for (let pageToken: string | undefined; pageToken !== '';) {
    const page = await content.client.listPosts(aList({ pageSize: 100, pageToken: pageToken ?? '' }), call);
    expect(Buffer.byteLength(JSON.stringify(page.posts))).toBeLessThan(2 << 20);
    expect(page.posts.every(({ atRisk }) => atRisk.length >= 4)).toBe(true);
    seen.push(...page.posts.map(({ id }) => id));
    pageToken = page.nextPageToken;
  }
  expect(seen.sort()).toEqual(rows.map(({ _id }) => _id).sort());
});
