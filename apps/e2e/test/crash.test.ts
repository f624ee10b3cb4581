import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { anImage, upload } from '../src/an-image.ts';
import { outcomes, publish, readPost, untilTerminal, untilUnpublished } from '../src/publish.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { eventually } from '@fanfare/testing';
import type { CreatePost, Post } from '@fanfare/sdk';
import { MongoClient } from 'mongodb';

const REEL = path.join(import.meta.dirname, '../../sandbox/test/fixtures/reel.mp4');

let platform: Platform;

beforeAll(async () => {
  platform = await borrowPlatform();
});
afterAll(() => platform.stop());

const onlyX = (caption: string) => ({ caption, restrict_publish_to: ['x'] });
const onlyInstagram = async (caption: string) => ({ caption, restrict_publish_to: ['instagram'], media_ids: [await anImage(platform)] });

describe('publisher killed during calls', () => {
  /** The calls in progress when the publisher is killed: caption → the call that the platform holds, and whether it was carried out before that. */
  const held = {
    'killed after the commit': ['x.create_post', 'hold_after'],
    'killed before the commit': ['x.create_post', 'hold'],
    'confirmed by a person': ['x.create_post', 'hold'],
    'proved by its container': ['instagram.publish_container', 'hold_after'],
    'proved absent': ['instagram.publish_container', 'hold'],
    'prepared twice': ['instagram.create_container', 'hold_after'],
  } as const;
  type Caption = keyof typeof held;
  const ids = new Map<Caption, string>();
  const ended = (caption: Caption) => untilTerminal(platform, ids.get(caption) ?? '');

  /** The same, for posts that are being removed from X. */
  const removed = { 'killed before the removal': 'hold', 'killed after the removal': 'hold_after' } as const;

  /** Publishes all, kills the publisher while the platforms hold the calls, releases the calls, and starts the publisher again. */
  beforeAll(async () => {
    const faults = [];
    for (const [caption, type] of Object.entries(removed)) {
      const { id } = await untilTerminal(platform, await publish(platform, onlyX(caption)));
      const fault = await platform.sandbox.fault('x.delete_post', { type });
      await platform.fanfare.posts.unpublish(platform.tenant.business_id, id, {});
      await fault.untilHolding();
      faults.push({ type, ...fault });
    }
    for (const [caption, [call, type]] of Object.entries(held) as [Caption, (typeof held)[Caption]][]) {
      const fault = await platform.sandbox.fault(call, { type });
      const post = call === 'x.create_post' ? onlyX(caption) : await onlyInstagram(caption);
      ids.set(caption, await publish(platform, post));
      await fault.untilHolding();
      faults.push({ type, ...fault });
    }
    await platform.kill('publisher');
    for (const { type, untilAbandoned, remove } of faults) {
      if (type === 'hold') await untilAbandoned();
      await remove();
    }
    await platform.start('publisher');
  });

  test.each(Object.keys(removed))('%s: the post is removed, and the result says so', async (caption) => {
    const { items } = await platform.fanfare.posts.list(platform.tenant.business_id, { q: caption }).page();
    const post = await untilUnpublished(platform, items[0]?.id ?? '');
    expect(post.publish_results).toMatchObject([{ platform: 'x', status: 'success', removal: { status: 'removed', detail: null } }]);
    expect(await platform.sandbox.posts(caption)).toEqual([]);
  });

  test('after X accepted the post and before its response: the post is found, and exists once', async () => {
    const post = await ended('killed after the commit');
    expect(outcomes(post)).toEqual(['x success']);
    expect(await platform.sandbox.posts('killed after the commit')).toHaveLength(1);
    expect(post.publish_results[0]?.publish_id).toBe((await platform.sandbox.posts('killed after the commit'))[0]?.id);
  });

  test('before X did anything: X cannot prove that, so the outcome is unknown, and nothing is sent again', async () => {
    const post = await ended('killed before the commit');
    expect(outcomes(post)).toEqual(['x failed unknown_outcome']);
    expect(await platform.sandbox.posts('killed before the commit')).toHaveLength(0);
    expect(post.status).toBe('NEW');
  });

  test('a person who checked sends it again with confirm_not_published; without it the call is rejected', async () => {
    const post = await ended('confirmed by a person');
    const path = `/api/businesses/${platform.tenant.business_id}/posts/${post.id}/publish`;
    const rejected = await platform.api('POST', path);
    expect(rejected).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('confirm_not_published') },
    });
    expect((await platform.api('POST', path, { confirm_not_published: true })).status).toBe(202);
    expect(outcomes(await untilTerminal(platform, post.id))).toEqual(['x success']);
    expect(await platform.sandbox.posts('confirmed by a person')).toHaveLength(1);
  });

  test('after Instagram published: the container proves it, and there is one post', async () => {
    expect(outcomes(await ended('proved by its container'))).toEqual(['instagram success']);
    expect(await platform.sandbox.posts('proved by its container')).toHaveLength(1);
  });

  test('before Instagram published: the container proves that too, and the post is sent once', async () => {
    expect(outcomes(await ended('proved absent'))).toEqual(['instagram success']);
    expect(await platform.sandbox.posts('proved absent')).toHaveLength(1);
  });

  test('during preparation: the successor prepares again, and there is one post', async () => {
    expect(outcomes(await ended('prepared twice'))).toEqual(['instagram success']);
    expect(await platform.sandbox.posts('prepared twice')).toHaveLength(1);
  });
});

test('content killed while a post is being sent: it receives the result when it runs again', async () => {
  const held = await platform.sandbox.fault('x.create_post', { type: 'hold' });
  const id = await publish(platform, onlyX('content was killed'));
  await held.untilHolding();
  await platform.kill('content');
  await held.remove();
  await eventually(async () => (await platform.sandbox.posts('content was killed')).length === 1);
  await platform.start('content');
  const post = await untilTerminal(platform, id);
  expect(post.status).toBe('PUBLISHED');
  expect(await platform.sandbox.posts('content was killed')).toHaveLength(1);
});

test('content killed right after it accepted a publication: the post is published', async () => {
  const id = await publish(platform, onlyX('accepted, then killed'));
  await platform.kill('content');
  await platform.start('content');
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
  expect(await platform.sandbox.posts('accepted, then killed')).toHaveLength(1);
});

test('a publisher that is stopped during a call finishes it first', async () => {
  const held = await platform.sandbox.fault('x.create_post', { type: 'hold' });
  const id = await publish(platform, onlyX('finished before it stopped'));
  await held.untilHolding();
  const terminated = platform.terminate('publisher');
  await held.remove();
  expect(await terminated).toMatchObject({ code: 0 });
  expect(await platform.sandbox.posts('finished before it stopped')).toHaveLength(1);
  await platform.start('publisher');
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
});

test('both killed repeatedly while posts are published: every delivery ends, and no post exists twice', async () => {
  const captions = Array.from({ length: 24 }, (_, index) => `storm ${index}`);
  const ids: string[] = [];
  for (const [index, caption] of captions.entries()) {
    ids.push(await publish(platform, onlyX(caption)));
    if (index % 6 === 5) {
      const victim = index % 12 === 5 ? 'publisher' : 'content';
      await platform.kill(victim);
      await platform.start(victim);
    }
  }
  const posts = await Promise.all(ids.map((id) => untilTerminal(platform, id)));
  const sent = await platform.sandbox.posts();
  for (const [index, post] of posts.entries()) {
    const onX = sent.filter(({ text }) => text === captions[index]);
    expect(onX.length).toBeLessThanOrEqual(1);
    const [result] = post.publish_results;
    expect(result?.status === 'success' ? 'success' : result?.error_type).toBe(
      onX.length === 1 && result?.status === 'success' ? 'success' : 'unknown_outcome',
    );
  }
  expect((await readPost(platform, ids[0] ?? '')).status).toBe('PUBLISHED');
});

test('analytics killed while it reads the statistics of a post: its successor stores them once', async () => {
  const post = await untilTerminal(platform, await publish(platform, onlyX('counted by a successor')));
  const { MONGODB_URL: url = '', MONGODB_DATABASE: database } = platform.settingsOf('analytics');
  const mongo = await new MongoClient(url).connect();
  const rows = mongo.db(database).collection('posts');
  const row = { post_id: post.id };
  try {
    await eventually(async () => (await rows.findOne({ ...row, snapshot_at: { $exists: true } })) !== null);
    const held = await platform.sandbox.fault('x.get_posts', { type: 'hold' });
    // As if it had been published two hours ago: the snapshot of the first hour is due.
    await rows.updateOne(row, { $set: { published_at: new Date(Date.now() - 7_200_000), snapshot_at: new Date(0) } });
    await held.untilHolding();
    await platform.kill('analytics');
    await held.remove();
    // As if the lease of the dead process had expired.
    await rows.updateOne(row, { $set: { snapshot_at: new Date(0) } });
    await platform.start('analytics');
    await eventually(async () => (await rows.findOne({ ...row, next_age: 6 })) !== null);
    expect(await rows.findOne(row)).toMatchObject({ snapshots: [{ age_hours: 1, numbers: { likes: expect.any(Number) } }] });
  } finally {
    await mongo.close();
  }
  const stats = await platform.api<{ results: { history: { age_hours: number }[] }[] }>(
    'GET',
    `/api/businesses/${platform.tenant.business_id}/posts/${post.id}/stats?history=true`,
  );
  expect(stats.body.results.map(({ history }) => history.map((one) => one.age_hours))).toEqual([[1]]);
});

describe('gateway killed while platforms fetch media from it: they are called again until it runs again', () => {
  /** Publishes a post, and lets the calls of platforms come through only when there is no gateway, until each delivery has failed that often. */
  async function withoutGateway(calls: readonly string[], post: CreatePost, failures: number): Promise<Post> {
    const { operator, sandbox } = platform;
    const held = [];
    for (const call of calls) held.push(await sandbox.fault(call, { type: 'hold' }));
    const postId = await publish(platform, post);
    for (const fault of held) await fault.untilHolding();
    await platform.kill('gateway');
    for (const fault of held) await fault.remove();
    await eventually(async () => {
      const { deliveries } = await operator.publisher.inspectDeliveries({ deliveryId: undefined, postId }, operator.as());
      return deliveries.length === calls.length && deliveries.every((one) => !one.open || one.failures >= failures);
    });
    await platform.start('gateway');
    return untilTerminal(platform, postId);
  }

  test('images', async () => {
    const post = { caption: 'images not fetched', media_ids: [await anImage(platform)], restrict_publish_to: ['facebook', 'instagram'] };
    const ended = await withoutGateway(['facebook.create_photo', 'instagram.create_container'], post, 6);
    expect(outcomes(ended)).toEqual(['facebook success', 'instagram success']);
    expect(await platform.sandbox.posts(post.caption)).toHaveLength(2);
  });

  test('a video, which Facebook fetches only after it has accepted the post', async () => {
    const video = await upload(platform, await readFile(REEL), 'video.mp4', 'video/mp4');
    const platform_overrides = [{ platform: 'facebook' as const, options: { kind: 'video' as const } }];
    const post = { caption: 'a video not fetched', media_ids: [video.id], restrict_publish_to: ['facebook'], platform_overrides };
    expect(outcomes(await withoutGateway(['facebook.create_video'], post, 1))).toEqual(['facebook success']);
    const states = (await platform.sandbox.posts(post.caption)).map(({ state }) => state);
    expect(states.filter((state) => state !== 'failed')).toEqual(['live']);
  });
});
