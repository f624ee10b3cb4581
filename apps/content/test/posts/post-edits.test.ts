import { newId } from '@fanfare/runtime';
import { changingPosts } from './changing-posts.ts';
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

const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { soon, scheduled, update, schedule, remove, need, CHANGES } = changingPosts(on);

describe('an edit', () => {
  test('changes the fields of the mask, clears those without a value, and leaves the rest', async () => {
    const first = await content.createPost(call, {
      caption: 'Kept',
      link: 'https://example.com/',
      videoCoverTimestampMs: 7,
      restrictPublishTo: ['x'],
      metadata: [{ key: 'a', value: '1' }],
      platformOverrides: [{ override: { platform: 'x', caption: 'For X' } }],
      repeatingCron: '0 9 * * *',
      mediaUrls: ['https://example.com/1.jpg'],
    });
    const names = [
      'link',
      'video_cover_timestamp_ms',
      'restrict_publish_to',
      'metadata',
      'platform_overrides',
      'repeating_cron',
      'media_ids',
    ];
    const cleared = await update(first, { updateMask: names, caption: 'Not named' });
    expect(cleared).toMatchObject({ caption: 'Kept', link: undefined, videoCoverTimestampMs: undefined, repeatingCron: undefined });
    expect(cleared).toMatchObject({ restrictPublishTo: [], metadata: [], platformOverrides: [], media: [], revision: 2 });
    const media = content.library.add(call.call.metadata.businessId);
    const given = {
      caption: 'New',
      coverMediaId: media,
      videoCoverTimestampMs: 0,
      link: 'https://example.com/b',
      restrictPublishTo: ['facebook'],
      metadata: [{ key: '__proto__', value: '2' }],
      platformOverrides: [{ override: { platform: 'x', title: 'T' } }],
      repeatingCron: '0  10 * * *',
    };
    const set = await update(cleared, { ...given, mediaIds: [media], updateMask: [...names, 'caption', 'cover_media_id'] });
    expect(set).toMatchObject({
      ...given,
      media: [{ id: media }],
      platformOverrides: [{ platform: 'x', title: 'T' }],
      repeatingCron: '0 10 * * *',
      createdAt: first.createdAt,
    });
    expect(await content.getPost(call, first.id)).toEqual(set);
  });

  test('moves a scheduled post to another time, and no other post', async () => {
    const waiting = await content.createPost(call, scheduled());
    const at = soon(5);
    const moved = await update(waiting, { updateMask: ['scheduled_publish_time'], scheduledPublishTime: at });
    expect(moved).toMatchObject({ status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at });
    expect((await content.posts.findOne({ _id: waiting.id }))?.next_due_at).toEqual(at);
    const rejection = { code: 'invalid_request', param: 'scheduled_publish_time' };
    await expect(update(waiting, { updateMask: ['scheduled_publish_time'] })).rejects.toMatchObject(rejection);
    const past = { updateMask: ['scheduled_publish_time'], scheduledPublishTime: new Date(Date.now() - 60_000) };
    await expect(update(waiting, past)).rejects.toMatchObject(rejection);
    const draft = await content.createPost(call);
    await expect(update(draft, { ...past, scheduledPublishTime: soon() })).rejects.toMatchObject(rejection);
    expect(await update(draft, { updateMask: ['scheduled_publish_time', 'caption'], caption: 'No time, still' })).toMatchObject({
      revision: 2,
    });
  });

  test.each([
    ['of nothing', { updateMask: [] }, { code: 'invalid_request' }],
    ['of an unknown field', { updateMask: ['status'] }, { code: 'invalid_request', param: 'status' }],
    [
      'with two kinds of media',
      { updateMask: ['media_ids', 'media_urls'], mediaIds: ['a'], mediaUrls: ['b'] },
      { code: 'invalid_request', param: 'media_urls' },
    ],
    ['with unknown media', { updateMask: ['media_ids'], mediaIds: [newId()] }, { code: 'invalid_value', param: 'media_ids.0' }],
    [
      'with an unknown cover',
      { updateMask: ['cover_media_id'], coverMediaId: newId() },
      { code: 'invalid_value', param: 'cover_media_id' },
    ],
    ['with an unknown design', { updateMask: ['design_id'], designId: newId() }, { code: 'invalid_value', param: 'design_id' }],
    [
      'for an unknown account',
      { updateMask: ['restrict_publish_to_integration_ids'], restrictPublishToIntegrationIds: [newId()] },
      { code: 'invalid_value', param: 'restrict_publish_to_integration_ids.0' },
    ],
    [
      'with two overrides for a platform',
      { updateMask: ['platform_overrides'], platformOverrides: [{ override: { platform: 'x' } }, { override: { platform: 'x' } }] },
      { code: 'invalid_value', param: 'platform_overrides.1.platform' },
    ],
    [
      'with an invalid cron',
      { updateMask: ['repeating_cron'], repeatingCron: '0 9 * *' },
      { code: 'invalid_value', param: 'repeating_cron' },
    ],
    ['that removes all content', { updateMask: ['caption'], caption: ' ' }, { code: 'missing_field', param: 'caption' }],
  ])('%s of a scheduled post is rejected', async (_what, more, rejection) => {
    const post = await content.createPost(call, scheduled());
    await expect(update(post, more)).rejects.toMatchObject(rejection);
    expect(await content.getPost(call, post.id)).toEqual(post);
  });

  test('that is invalid is rejected before the post is read', async () => {
    const unknown = { ...(await content.createPost(call)), id: newId() };
    await expect(update(unknown, { updateMask: [] })).rejects.toMatchObject({ code: 'invalid_request' });
    const imports = content.library.imports.length;
    await expect(update(unknown, { updateMask: ['media_urls'], mediaUrls: ['https://example.com/1.jpg'] })).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect(content.library.imports).toHaveLength(imports);
  });

  test('can remove the caption of a draft, which then cannot be scheduled', async () => {
    const empty = await update(await content.createPost(call), { updateMask: ['caption'] });
    await expect(schedule(empty)).rejects.toMatchObject({ code: 'missing_field', param: 'caption' });
    const overridden = { updateMask: ['platform_overrides'], platformOverrides: [{ override: { platform: 'x', caption: 'For X' } }] };
    expect(await schedule(await update(empty, overridden))).toMatchObject({ status: 'POST_STATUS_SCHEDULED' });
  });

  test('can change a record of a post from elsewhere, but cannot make it repeat', async () => {
    const record = await content.createPost(call, { status: 'POST_STATUS_PUBLISHED' });
    expect(await update(record, { updateMask: ['caption'], caption: 'As it was' })).toMatchObject({ publishedAt: record.publishedAt });
    const cron = { updateMask: ['repeating_cron'], repeatingCron: '0 9 * * *' };
    await expect(update(record, cron)).rejects.toMatchObject({ code: 'conflict', param: 'repeating_cron' });
  });
});

describe('scheduling', () => {
  test.each([
    [{ scheduledPublishTime: undefined }, { code: 'missing_field', param: 'scheduled_publish_time' }],
    [{ scheduledPublishTime: new Date(Date.now() - 60_000) }, { code: 'invalid_request', param: 'scheduled_publish_time' }],
    [
      { updateMask: ['repeating_cron'], repeatingCron: '@daily' },
      { code: 'invalid_value', param: 'repeating_cron' },
    ],
    [
      { updateMask: ['restrict_publish_to_integration_ids'], restrictPublishToIntegrationIds: [newId()] },
      { code: 'invalid_value', param: 'restrict_publish_to_integration_ids.0' },
    ],
  ])('%j is rejected', async (more, rejection) => {
    await expect(schedule(await content.createPost(call), more as never)).rejects.toMatchObject(rejection);
  });

  test('changes targets and series if they are in the mask', async () => {
    const post = await content.createPost(call, { restrictPublishTo: ['x'], repeatingCron: '0 9 * * *' });
    expect(await schedule(post)).toMatchObject({ restrictPublishTo: ['x'], repeatingCron: '0 9 * * *' });
    const named = { updateMask: ['restrict_publish_to', 'repeating_cron'] };
    expect(await schedule(post, { ...named, restrictPublishTo: ['facebook'] })).toMatchObject({
      restrictPublishTo: ['facebook'],
      repeatingCron: undefined,
    });
  });
});

describe('deleting', () => {
  test('hides a post from all reads, and unschedules it', async () => {
    const post = await content.createPost(call, scheduled());
    await remove(post);
    await expect(content.getPost(call, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(content.publishPost(call, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
    for (const [, change] of CHANGES) await expect(change(post)).rejects.toMatchObject({ code: 'resource_not_found' });
    for (const more of [{}, { statuses: ['POST_STATUS_NEW' as const] }, { scheduledFrom: new Date() }]) {
      expect((await content.client.listPosts(aList(more), call)).posts).toEqual([]);
    }
  });

  test('is not undone by a repeated create', async () => {
    const request = aCreatePost({ caption: 'Deleted' });
    const { post } = await content.client.createPost(request, call);
    await remove(need(post));
    expect((await content.client.createPost(request, call)).post).toMatchObject({ id: request.postId, caption: 'Deleted' });
    await expect(content.getPost(call, request.postId)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect((await content.client.listPosts(aList(), call)).posts).toEqual([]);
  });
});
