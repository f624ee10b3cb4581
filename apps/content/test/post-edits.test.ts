import { ReviewPostRequest, SchedulePostRequest, UpdatePostRequest, type Post, type PostStatus } from '@fanfare/contracts/content';
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

const soon = (hours = 1) => new Date(Math.floor(Date.now() / 1000) * 1000 + hours * 3600_000);
const scheduled = (more = {}) => ({ status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: soon(), ...more });
type Given<T extends { fromPartial(value: never): unknown }> = Parameters<T['fromPartial']>[0];

const update = async (post: Post, more: Given<typeof UpdatePostRequest>) =>
  need((await content.client.updatePost(UpdatePostRequest.fromPartial({ operationId: newId(), postId: post.id, ...more }), call)).post);
const schedule = async (post: Post, more: Given<typeof SchedulePostRequest> = {}) =>
  need(
    (
      await content.client.schedulePost(
        SchedulePostRequest.fromPartial({ operationId: newId(), postId: post.id, scheduledPublishTime: soon(2), ...more }),
        call,
      )
    ).post,
  );
const target = (post: Post, more: { operationId?: string; expectedRevisions?: number[] } = {}) => ({
  operationId: newId(),
  postId: post.id,
  expectedRevisions: [],
  ...more,
});
const unschedule = async (post: Post, more = {}) => need((await content.client.unschedulePost(target(post, more), call)).post);
const review = async (post: Post, more: Given<typeof ReviewPostRequest> = {}) =>
  need(
    (
      await content.client.reviewPost(
        ReviewPostRequest.fromPartial({ operationId: newId(), postId: post.id, decision: 'REVIEW_DECISION_APPROVE', ...more }),
        call,
      )
    ).post,
  );
const remove = (post: Post, more = {}) => content.client.deletePost(target(post, more), call);
const need = (post: Post | undefined): Post => post ?? fail('No post.');
const fail = (why: string): never => {
  throw new Error(why);
};
/** Every way to change a post, as a caller would who minds no revision. */
const CHANGES: readonly (readonly [string, (post: Post, more?: object) => Promise<unknown>])[] = [
  ['update', (post, more) => update(post, { updateMask: ['caption'], caption: 'New', ...more })],
  ['schedule', schedule],
  ['unschedule', unschedule],
  ['review', review],
  ['delete', remove],
];

/** A post in each of the states that there are, and while it is being sent. */
async function inState(state: string): Promise<Post> {
  const publish = async (more = {}) => {
    await content.connect(call, ['x']);
    return content.publishPost(call, (await content.createPost(call, more)).id);
  };
  switch (state) {
    case 'SCHEDULED':
      return content.createPost(call, scheduled());
    case 'being sent':
      return publish();
    case 'SCHEDULED, being sent':
      return publish(scheduled());
    case 'PUBLISHED': {
      const post = await publish();
      return told(post, { status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() });
    }
    case 'failed': {
      const post = await publish({ status: 'POST_STATUS_DRAFT' });
      return told(post, { status: 'DELIVERY_STATUS_FAILED' });
    }
    default:
      return content.createPost(call, { status: `POST_STATUS_${state}` as PostStatus });
  }
}
async function told(post: Post, news: object): Promise<Post> {
  await content.tell(post, [{ deliveryId: post.publishResults[0]?.deliveryId ?? '', revision: 2, ...news }]);
  return eventually(async () => {
    const now = await content.getPost(call, post.id);
    return now.publishResults.every(({ status }) => /SUCCESS|FAILED/.test(status)) && now;
  });
}

describe('the status of a post', () => {
  test.each([
    ['NEW', 'review', 'POST_STATUS_DRAFT'],
    ['DRAFT', 'review', 'POST_STATUS_DRAFT'],
    ['REJECTED', 'review', 'POST_STATUS_DRAFT'],
    ['failed', 'review', 'POST_STATUS_DRAFT'],
    ['SCHEDULED', 'review', 'invalid_request'],
    ['PUBLISHED', 'review', 'invalid_request'],
    ['NEW', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['DRAFT', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['REJECTED', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['failed', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['SCHEDULED', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['PUBLISHED', 'schedule', 'invalid_request'],
    ['SCHEDULED', 'unschedule', 'POST_STATUS_NEW'],
    ['NEW', 'unschedule', 'invalid_request'],
    ['DRAFT', 'unschedule', 'invalid_request'],
    ['PUBLISHED', 'unschedule', 'invalid_request'],
    ['NEW', 'update', 'POST_STATUS_NEW'],
    ['REJECTED', 'update', 'POST_STATUS_REJECTED'],
    ['SCHEDULED', 'update', 'POST_STATUS_SCHEDULED'],
    ['PUBLISHED', 'update', 'POST_STATUS_PUBLISHED'],
    ['failed', 'update', 'POST_STATUS_DRAFT'],
  ])('%s, by %s: %s', async (state, name, after) => {
    const post = await inState(state);
    const change = CHANGES.find(([one]) => one === name)?.[1] ?? fail(name);
    if (after.startsWith('POST_STATUS_')) expect(await change(post)).toMatchObject({ status: after, revision: post.revision + 1 });
    else {
      await expect(change(post)).rejects.toMatchObject({ code: after });
      expect(await content.getPost(call, post.id)).toEqual(post);
    }
  });

  test.each(CHANGES)('stays, while it is being sent: %s is refused', async (_name, change) => {
    for (const state of ['being sent', 'SCHEDULED, being sent']) {
      const post = await inState(state);
      await expect(change(post)).rejects.toMatchObject({ code: 'invalid_request' });
      expect(await content.getPost(call, post.id)).toEqual(post);
    }
  });

  test.each(['DRAFT', 'REJECTED'])('is %s again when it is unscheduled, and has no time any more', async (verdict) => {
    const waiting = await schedule(await content.createPost(call, { status: `POST_STATUS_${verdict}` as PostStatus }));
    expect(await unschedule(waiting)).toMatchObject({ status: `POST_STATUS_${verdict}`, scheduledPublishTime: undefined });
    expect(await content.posts.findOne({ _id: waiting.id })).not.toHaveProperty('next_due_at');
  });

  test('is a verdict with a note, which is the last review’s', async () => {
    const post = await content.createPost(call);
    const rejected = await review(post, { decision: 'REVIEW_DECISION_REJECT', note: 'Too long.' });
    expect(rejected).toMatchObject({ status: 'POST_STATUS_REJECTED', reviewNote: 'Too long.' });
    expect(await review(rejected)).toMatchObject({ status: 'POST_STATUS_DRAFT', reviewNote: undefined });
    await expect(review(post, { decision: 'REVIEW_DECISION_UNSPECIFIED' })).rejects.toMatchObject({ code: 'missing_field' });
  });
});

describe('an edit', () => {
  test('changes what it names, clears what it names without a value, and leaves the rest', async () => {
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

  test('moves a post that waits to another time, and only such a one', async () => {
    const waiting = await content.createPost(call, scheduled());
    const moved = await update(waiting, { updateMask: ['scheduled_publish_time'], scheduledPublishTime: soon(5) });
    expect(moved).toMatchObject({ status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: soon(5) });
    expect((await content.posts.findOne({ _id: waiting.id }))?.next_due_at).toEqual(soon(5));
    const refusal = { code: 'invalid_request', param: 'scheduled_publish_time' };
    await expect(update(waiting, { updateMask: ['scheduled_publish_time'] })).rejects.toMatchObject(refusal);
    const past = { updateMask: ['scheduled_publish_time'], scheduledPublishTime: new Date(Date.now() - 1) };
    await expect(update(waiting, past)).rejects.toMatchObject(refusal);
    const draft = await content.createPost(call);
    await expect(update(draft, { ...past, scheduledPublishTime: soon() })).rejects.toMatchObject(refusal);
    expect(await update(draft, { updateMask: ['scheduled_publish_time', 'caption'], caption: 'No time, still' })).toMatchObject({
      revision: 2,
    });
  });

  test.each([
    ['of nothing', { updateMask: [] }, { code: 'invalid_request' }],
    ['of something that no post has', { updateMask: ['status'] }, { code: 'invalid_request', param: 'status' }],
    [
      'with two kinds of media',
      { updateMask: ['media_ids', 'media_urls'], mediaIds: ['a'], mediaUrls: ['b'] },
      { code: 'invalid_request', param: 'media_urls' },
    ],
    ['with media that nobody has', { updateMask: ['media_ids'], mediaIds: [newId()] }, { code: 'invalid_value', param: 'media_ids.0' }],
    [
      'with a cover that nobody has',
      { updateMask: ['cover_media_id'], coverMediaId: newId() },
      { code: 'invalid_value', param: 'cover_media_id' },
    ],
    ['with a design that nobody has', { updateMask: ['design_id'], designId: newId() }, { code: 'invalid_value', param: 'design_id' }],
    [
      'for an account that nobody has',
      { updateMask: ['restrict_publish_to_integration_ids'], restrictPublishToIntegrationIds: [newId()] },
      { code: 'invalid_value', param: 'restrict_publish_to_integration_ids.0' },
    ],
    [
      'with two overrides for a platform',
      { updateMask: ['platform_overrides'], platformOverrides: [{ override: { platform: 'x' } }, { override: { platform: 'x' } }] },
      { code: 'invalid_value', param: 'platform_overrides.1.platform' },
    ],
    ['with no cron', { updateMask: ['repeating_cron'], repeatingCron: '0 9 * *' }, { code: 'invalid_value', param: 'repeating_cron' }],
    ['that takes all content away', { updateMask: ['caption'], caption: ' ' }, { code: 'missing_field', param: 'caption' }],
  ])('%s of a post that waits is refused', async (_what, more, refusal) => {
    const post = await content.createPost(call, scheduled());
    await expect(update(post, more)).rejects.toMatchObject(refusal);
    expect(await content.getPost(call, post.id)).toEqual(post);
  });

  test('that is no good is refused before it is asked whether there is such a post', async () => {
    const nobody = { ...(await content.createPost(call)), id: newId() };
    await expect(update(nobody, { updateMask: [] })).rejects.toMatchObject({ code: 'invalid_request' });
    const imports = content.library.imports.length;
    await expect(update(nobody, { updateMask: ['media_urls'], mediaUrls: ['https://example.com/1.jpg'] })).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect(content.library.imports).toHaveLength(imports);
  });

  test('a draft may lose its caption, but cannot be scheduled then', async () => {
    const empty = await update(await content.createPost(call), { updateMask: ['caption'] });
    await expect(schedule(empty)).rejects.toMatchObject({ code: 'missing_field', param: 'caption' });
    const overridden = { updateMask: ['platform_overrides'], platformOverrides: [{ override: { platform: 'x', caption: 'For X' } }] };
    expect(await schedule(await update(empty, overridden))).toMatchObject({ status: 'POST_STATUS_SCHEDULED' });
  });

  test('a record of a post from elsewhere can be edited, but does not repeat', async () => {
    const record = await content.createPost(call, { status: 'POST_STATUS_PUBLISHED' });
    expect(await update(record, { updateMask: ['caption'], caption: 'As it was' })).toMatchObject({ publishedAt: record.publishedAt });
    const cron = { updateMask: ['repeating_cron'], repeatingCron: '0 9 * * *' };
    await expect(update(record, cron)).rejects.toMatchObject({ code: 'invalid_request', param: 'repeating_cron' });
  });
});

describe('scheduling', () => {
  test.each([
    [{ scheduledPublishTime: undefined }, { code: 'missing_field', param: 'scheduled_publish_time' }],
    [{ scheduledPublishTime: new Date(Date.now() - 1) }, { code: 'invalid_request', param: 'scheduled_publish_time' }],
    [
      { updateMask: ['repeating_cron'], repeatingCron: '@daily' },
      { code: 'invalid_value', param: 'repeating_cron' },
    ],
    [
      { updateMask: ['restrict_publish_to_integration_ids'], restrictPublishToIntegrationIds: [newId()] },
      { code: 'invalid_value', param: 'restrict_publish_to_integration_ids.0' },
    ],
  ])('%j is refused', async (more, refusal) => {
    await expect(schedule(await content.createPost(call), more as never)).rejects.toMatchObject(refusal);
  });

  test('changes targets and the series where they are named', async () => {
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
  test('hides a post from everybody, and takes it off its time', async () => {
    const post = await content.createPost(call, scheduled());
    await remove(post);
    await expect(content.getPost(call, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(content.publishPost(call, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
    for (const [, change] of CHANGES) await expect(change(post)).rejects.toMatchObject({ code: 'resource_not_found' });
    for (const more of [{}, { statuses: ['POST_STATUS_NEW' as const] }, { scheduledFrom: new Date() }]) {
      expect((await content.client.listPosts(aList(more), call)).posts).toEqual([]);
    }
  });

  test('is not undone by a repeat of what created the post', async () => {
    const request = aCreatePost({ caption: 'Gone' });
    const { post } = await content.client.createPost(request, call);
    await remove(need(post));
    expect((await content.client.createPost(request, call)).post).toMatchObject({ id: request.postId, caption: 'Gone' });
    await expect(content.getPost(call, request.postId)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect((await content.client.listPosts(aList(), call)).posts).toEqual([]);
  });
});

describe('a change that is asked for again', () => {
  test.each(CHANGES.filter(([name]) => name !== 'unschedule'))(
    '%s changes nothing more, also after later changes',
    async (_name, change) => {
      const post = await content.createPost(call);
      const again = { operationId: newId(), expectedRevisions: [post.revision] };
      await change(post, again);
      await change(post, again);
      expect((await content.posts.findOne({ _id: post.id }))?.revision).toBe(2);
    },
  );

  test('a schedule, repeated after it was undone, does not schedule again', async () => {
    const post = await content.createPost(call);
    const operationId = newId();
    await schedule(post, { operationId });
    const after = await unschedule(post);
    expect(await schedule(post, { operationId })).toEqual(after);
  });

  test('an edit, repeated after another one, does not take that one back', async () => {
    const post = await content.createPost(call);
    const first = { operationId: newId(), updateMask: ['caption'], caption: 'First', mediaUrls: ['https://example.com/1.jpg'] };
    await update(post, first);
    const after = await update(post, { updateMask: ['caption'], caption: 'Second' });
    expect(await update(post, first)).toEqual(after);
  });

  test('an edit, repeated after the post was deleted, is answered and brings nothing back', async () => {
    const post = await content.createPost(call);
    const first = { operationId: newId(), updateMask: ['caption'], caption: 'First' };
    await update(post, first);
    await remove(post);
    expect(await update(post, first)).toMatchObject({ caption: 'First' });
    await expect(content.getPost(call, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('a publish that found the post being sent, repeated when that is over, sends nothing', async () => {
    const first = await inState('being sent');
    const again = { operationId: newId(), publicationId: newId() };
    await content.publishPost(call, first.id, again);
    const failed = await told(first, { status: 'DELIVERY_STATUS_FAILED' });
    expect(await content.publishPost(call, first.id, again)).toEqual(failed);
  });

  test('twenty times at once happens once', async () => {
    const post = await content.createPost(call);
    const operationId = newId();
    const answers = await Promise.all(Array.from({ length: 20 }, () => schedule(post, { operationId, scheduledPublishTime: soon(3) })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.revision).toBe(2);
  });
});

describe('a caller who has seen a revision', () => {
  test.each(CHANGES.filter(([name]) => name !== 'unschedule'))('%s happens to that one and to no other', async (_name, change) => {
    const post = await content.createPost(call);
    await expect(change(post, { expectedRevisions: [2, 3] })).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await content.getPost(call, post.id)).toEqual(post);
    await change(post, { expectedRevisions: [9, 1] });
    expect((await content.posts.findOne({ _id: post.id }))?.revision).toBe(2);
  });

  test('publishes that one and no other', async () => {
    await content.connect(call, ['x']);
    const post = await content.createPost(call);
    await expect(content.publishPost(call, post.id, { expectedRevisions: [2] })).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await content.publishPost(call, post.id, { expectedRevisions: [1] })).toMatchObject({ revision: 2 });
  });

  test('is one of twenty, of whom one is served', async () => {
    const post = await content.createPost(call);
    const edits = Array.from({ length: 20 }, (_, index) =>
      update(post, { expectedRevisions: [1], updateMask: ['caption'], caption: `${index}` }).catch((error: { code: string }) => error.code),
    );
    const answers = await Promise.all(edits);
    expect(answers.filter((answer) => answer === 'precondition_failed')).toHaveLength(19);
  });
});

test('another organization and another business change nothing of a post', async () => {
  const post = await content.createPost(call);
  const own = call;
  const { organizationId, businessId } = own.call.metadata;
  for (const other of [callAs({ organizationId, businessId: newId() }), callAs({ organizationId: newId(), businessId })]) {
    call = other;
    for (const [, change] of CHANGES) await expect(change(post)).rejects.toMatchObject({ code: 'resource_not_found' });
  }
  expect(await content.getPost(own, post.id)).toEqual(post);
});

test('each change of a post is told once, in the order of its revisions', async () => {
  const post = await inState('NEW');
  await update(post, { updateMask: ['caption'], caption: 'Told' });
  await review(post, { decision: 'REVIEW_DECISION_REJECT' });
  await schedule(post);
  await update(post, { updateMask: ['scheduled_publish_time'], scheduledPublishTime: soon(7) });
  await unschedule(post);
  await content.connect(call, ['x', 'facebook']);
  const sent = await content.publishPost(call, post.id);
  const [first, second] = sent.publishResults.map(({ deliveryId }) => deliveryId);
  const publicationId = sent.publishResults[0]?.publicationId ?? '';
  await content.tell(sent, [
    { deliveryId: first ?? '', publicationId, revision: 2, status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() },
  ]);
  await eventually(async () => (await content.getPost(call, post.id)).status === 'POST_STATUS_PUBLISHED');
  await content.tell(sent, [{ deliveryId: second ?? '', publicationId, revision: 2, status: 'DELIVERY_STATUS_FAILED' }]);
  await eventually(async () => (await content.getPost(call, post.id)).publishResults.every(({ status }) => !status.endsWith('PENDING')));
  await remove(post);

  const told = await eventually(() => content.changesOf(post.id).length >= 10 && content.changesOf(post.id));
  expect(told.map(({ revision, changes, status }) => [revision, changes.map((one) => one.slice(12)).join('+'), status.slice(12)])).toEqual([
    [1, 'CREATED', 'NEW'],
    [2, 'UPDATED', 'NEW'],
    [3, 'REJECTED', 'REJECTED'],
    [4, 'SCHEDULED', 'SCHEDULED'],
    [5, 'UPDATED+SCHEDULED', 'SCHEDULED'],
    [6, 'UNSCHEDULED', 'REJECTED'],
    [7, 'CLAIMED', 'REJECTED'],
    [8, 'RESULT_CHANGED+PUBLISHED', 'PUBLISHED'],
    [9, 'RESULT_CHANGED+ENDED', 'PUBLISHED'],
    [10, 'DELETED', 'PUBLISHED'],
  ]);
  expect(told[8]).toMatchObject({
    postId: post.id,
    organizationId: call.call.metadata.organizationId,
    businessId: call.call.metadata.businessId,
    publicationId,
    succeeded: 1,
    failed: 1,
  });
  expect(told[1]).toMatchObject({ actor: call.call.metadata.actor, publicationId: undefined });
});
