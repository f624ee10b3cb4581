import { FanfareError, type CreatePost, type TimelineEntry } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { anImage, jpeg, upload } from '../src/an-image.ts';
import { outcomes, publish, readPost, untilTerminal } from '../src/publish.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { runAdmin } from '../src/run-admin.ts';

let platform: Platform;
let posts: string;

beforeAll(async () => {
  platform = await borrowPlatform();
  posts = `/api/businesses/${platform.tenant.business_id}/posts`;
});
afterAll(() => platform.stop());

const create = (body: CreatePost) => platform.fanfare.posts.create(platform.tenant.business_id, body);
const publishAgain = (id: string) => platform.fanfare.posts.publish(platform.tenant.business_id, id);

test('a caption and an image reach every connected platform in its protocol, and the results contain the URLs', async () => {
  const caption = 'Fresh bread, every morning at seven.';
  const id = await publish(platform, { caption, media_ids: [await anImage(platform)] });
  const pending = await readPost(platform, id);
  expect(pending.publish_results.map((result) => result.platform).sort()).toEqual(['facebook', 'instagram', 'x']);

  const post = await untilTerminal(platform, id);
  expect(outcomes(post)).toEqual(['facebook success', 'instagram success', 'x success']);
  expect(post).toMatchObject({ status: 'PUBLISHED', published_at: expect.stringMatching(/Z$/) });
  for (const result of post.publish_results) {
    expect(result).toMatchObject({
      post_url: expect.stringMatching(/^http/),
      publish_id: expect.stringMatching(/\d/),
      integration_id: platform.integrations[result.platform],
    });
  }

  const sent = await platform.sandbox.posts(caption);
  expect(sent.map((one) => one.platform).sort()).toEqual(['facebook', 'instagram', 'x']);
  expect(sent.every(({ media }) => media.length === 1)).toBe(true);
  const requests = await platform.sandbox.requests();
  expect(requests.map(({ method, path }) => `${method} ${path.replace(/\d{5,}/g, 'ID')}`)).toEqual(
    expect.arrayContaining(['POST /v25.0/ID/photos', 'POST /v25.0/ID/media', 'POST /v25.0/ID/media_publish', 'POST /2/tweets']),
  );
  expect(JSON.stringify(requests)).not.toMatch(/sandbox-\w+-secret/);
});

test('the timeline shows how the post came to be on each platform, oldest first', async () => {
  const id = await publish(platform, { caption: 'Timeline', restrict_publish_to: ['facebook', 'x'] });
  await untilTerminal(platform, id);
  const items: TimelineEntry[] = [];
  for await (const one of platform.fanfare.posts.timeline(platform.tenant.business_id, id, { limit: 3 })) items.push(one);
  expect(items.slice(0, 2).map(({ kind }) => kind)).toEqual(['created', 'claimed']);
  expect(items.at(-1)).toMatchObject({ kind: 'publication_ended', summary: 'Publishing has ended: 2 succeeded, 0 failed.' });
  for (const name of ['facebook', 'x']) {
    const kinds = items.filter((one) => one.platform === name).map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(['delivery_requested', 'delivery_begun', 'attempt']);
    expect(kinds.at(-1)).toBe('published');
  }
  const times = items.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());

  const verified = await runAdmin(platform, 'ledger', 'verify', '--post', id);
  expect({ code: verified.code, report: JSON.parse(verified.out) as unknown }).toMatchObject({
    code: 0,
    report: { intact: true, checked: { content: { chains: 1 }, publisher: { chains: 2 } }, problems: [] },
  });
  const { MONGODB_URL = '', MONGODB_DATABASE = '' } = platform.settingsOf('content');
  const client = await new MongoClient(MONGODB_URL).connect();
  await client
    .db(MONGODB_DATABASE)
    .collection('ledger')
    .updateOne({ chain: id, n: 1 }, { $set: { actor: 'key:another' } });
  await client.close();
  const mistyped = await runAdmin(platform, 'ledger', 'verify', '--post', 'mistyped');
  expect([mistyped.code, mistyped.err]).toEqual([1, expect.stringContaining('There are no entries for --post mistyped.')]);
  const tampered = await runAdmin(platform, 'ledger', 'verify', '--post', id);
  expect({ code: tampered.code, report: JSON.parse(tampered.out) as unknown }).toMatchObject({
    code: 1,
    report: { intact: false, problems: [{ service: 'content', chain: id, position: 1, problem: 'changed' }] },
  });
});

test('the URL in the result shows that post', async () => {
  const id = await publish(platform, { caption: 'Look me up <b>', restrict_publish_to: ['x'] });
  const { publish_results } = await untilTerminal(platform, id);
  const page = await fetch(publish_results[0]?.post_url ?? '');
  expect(page.status).toBe(200);
  const shown = await page.text();
  expect(shown).toContain('Look me up');
  expect(shown).not.toContain('<b>');
});

test('several images are published as one post, in their order', async () => {
  const media_ids = [await anImage(platform, '#ff0000'), await anImage(platform, '#00ff00'), await anImage(platform, '#0000ff')];
  const id = await publish(platform, { caption: 'Three colours', media_ids });
  const post = await untilTerminal(platform, id);
  expect(outcomes(post)).toEqual(['facebook success', 'instagram success', 'x success']);
  expect(post.media_details.map((one) => one.id)).toEqual(media_ids);
  const sent = await platform.sandbox.posts('Three colours');
  expect(sent.map(({ media }) => media.length)).toEqual([3, 3, 3]);
});

test('a scheduled post is published at its time, and not before', async () => {
  const at = new Date(Date.now() + 5_000);
  const body = await create({
    caption: 'On time',
    status: 'SCHEDULED',
    scheduled_publish_time: at.toISOString(),
    restrict_publish_to: ['x'],
  });
  expect(body).toMatchObject({ status: 'SCHEDULED', scheduled_publish_time: at.toISOString(), publish_results: [] });
  const post = await untilTerminal(platform, body.id);
  expect(post.status).toBe('PUBLISHED');
  expect(post.scheduled_publish_time).toBeNull();
  expect(new Date(post.published_at ?? 0).getTime()).toBeGreaterThanOrEqual(at.getTime());
  expect(await platform.sandbox.posts('On time')).toHaveLength(1);
});

test('a scheduled post is published early to one account, to the others at its time, and is found by its results', async () => {
  const at = new Date(Date.now() + 3600_000).toISOString();
  const body = { caption: 'Early bird', status: 'SCHEDULED', scheduled_publish_time: at, restrict_publish_to: ['facebook', 'x'] } as const;
  const { id } = await create({ ...body, restrict_publish_to: [...body.restrict_publish_to] });
  await platform.fanfare.posts.publish(platform.tenant.business_id, id, { restrict_publish_to: ['x'] });
  const early = await untilTerminal(platform, id);
  expect(outcomes(early)).toEqual(['x success']);
  expect(early).toMatchObject({ status: 'SCHEDULED', scheduled_publish_time: at, publish_status: 'succeeded' });
  expect((await platform.sandbox.posts('Early bird')).map((one) => one.platform)).toEqual(['x']);
  await platform.fanfare.posts.schedule(platform.tenant.business_id, id, {
    scheduled_publish_time: new Date(Date.now() + 4_000).toISOString(),
  });
  await eventually(async () => (await readPost(platform, id)).status === 'PUBLISHED');
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['facebook success', 'x success']);
  expect((await platform.sandbox.posts('Early bird')).map((one) => one.platform).sort()).toEqual(['facebook', 'x']);
  const list = platform.fanfare.posts.list(platform.tenant.business_id, { publish_status: ['succeeded'], q: 'early bird', platform: 'x' });
  expect((await list.toArray()).map((one) => one.id)).toEqual([id]);
});

test('an override replaces fields on its platform only', async () => {
  const id = await publish(platform, {
    caption: 'For everyone',
    restrict_publish_to: ['X', 'facebook'],
    platform_overrides: [{ platform: 'twitter', caption: 'For X alone' }],
  });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['facebook success', 'x success']);
  expect((await platform.sandbox.posts('For everyone')).map((one) => one.platform)).toEqual(['facebook']);
  expect((await platform.sandbox.posts('For X alone')).map((one) => one.platform)).toEqual(['x']);
});

test('an override of an account takes precedence over that of its platform, field by field', async () => {
  const media_ids = [await anImage(platform)];
  const id = await publish(platform, {
    caption: 'For all of them',
    restrict_publish_to: ['x', 'facebook'],
    platform_overrides: [
      { platform: 'x', caption: 'For any account on X', media_ids },
      { integration_id: platform.integrations['x'] ?? '', caption: 'For this account on X' },
    ],
  });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['facebook success', 'x success']);
  expect((await platform.sandbox.posts('For all of them')).map((one) => [one.platform, one.media.length])).toEqual([['facebook', 0]]);
  expect((await platform.sandbox.posts('For this account on X')).map((one) => [one.platform, one.media.length])).toEqual([['x', 1]]);
  // The post can be sent back as it was returned.
  const { platform_overrides } = await readPost(platform, id);
  const copy = await create({ caption: 'Copied', platform_overrides });
  expect(copy.platform_overrides).toEqual(platform_overrides);
});

test('content that a platform does not accept fails there with the reason, and is published elsewhere', async () => {
  const id = await publish(platform, { caption: `${'word '.repeat(80)}end`, restrict_publish_to: ['facebook', 'x', 'instagram'] });
  const post = await untilTerminal(platform, id);
  expect(outcomes(post)).toEqual(['facebook success', 'instagram failed validation_failed', 'x failed validation_failed']);
  expect(post.publish_results.find((one) => one.platform === 'x')?.error_message).toMatch(/280/);
  expect(post.status).toBe('PUBLISHED');
});

test('publishing again sends only to the accounts that failed', async () => {
  const fault = await platform.sandbox.fault('facebook.create_feed_post', {
    type: 'status',
    status: 400,
    body: { error: { message: 'Invalid parameter', type: 'OAuthException', code: 100 } },
  });
  const id = await publish(platform, { caption: 'Second chance', restrict_publish_to: ['facebook', 'x'] });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['facebook failed validation_failed', 'x success']);
  await fault.remove();
  await publishAgain(id);
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['facebook success', 'x success']);
  expect((await platform.sandbox.posts('Second chance')).map((one) => one.platform).sort()).toEqual(['facebook', 'x']);
  await expect(publishAgain(id)).rejects.toMatchObject({ status: 409, code: 'conflict' });
});

test('twenty concurrent publish calls create one publication', async () => {
  const { id } = await create({ caption: 'Pressed twenty times', restrict_publish_to: ['x'] });
  const rejections = await Promise.all(
    Array.from({ length: 20 }, () =>
      publishAgain(id).then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  expect(rejections.every((error) => error === undefined || (error instanceof FanfareError && error.status === 409))).toBe(true);
  await untilTerminal(platform, id);
  expect(await platform.sandbox.posts('Pressed twenty times')).toHaveLength(1);
});

test('two copies of content and of the publisher share the work, and nothing is published twice', async () => {
  await platform.addReplica('content');
  await platform.addReplica('publisher');
  // Time enough to create them all on a busy machine.
  const at = new Date(Date.now() + 8_000).toISOString();
  const captions = Array.from({ length: 30 }, (_, index) => `shared ${index}`);
  const ids = await Promise.all(
    captions.map(
      async (caption) => (await create({ caption, status: 'SCHEDULED', scheduled_publish_time: at, restrict_publish_to: ['x'] })).id,
    ),
  );
  for (const id of ids) expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
  const sent = (await platform.sandbox.posts()).map(({ text }) => text).filter((text) => text.startsWith('shared '));
  expect(sent.sort()).toEqual(captions.sort());
});

test('a lost response of X is not a failure: the post is found', async () => {
  await platform.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  const id = await publish(platform, { caption: 'The response got lost', restrict_publish_to: ['x'] });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
  expect(await platform.sandbox.posts('The response got lost')).toHaveLength(1);
});

test('another organization can neither read nor change anything', async () => {
  const id = await publish(platform, { caption: 'Mine', restrict_publish_to: ['x'] });
  await untilTerminal(platform, id);
  const { api, business_id } = platform.foreign;
  for (const [method, path] of [
    ['GET', posts],
    ['GET', `${posts}/${id}`],
    ['POST', `${posts}/${id}/publish`],
    ['POST', posts],
  ] as const) {
    expect(await api(method, path, method === 'POST' ? {} : undefined)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  }
  expect((await api('GET', `/api/businesses/${business_id}/posts/${id}`)).status).toBe(404);
});

test.each([
  ['loopback', 'http://127.0.0.1:1/photo.jpg'],
  ['localhost by name', 'http://localhost/photo.jpg'],
  ['link-local metadata', 'http://169.254.169.254/latest/meta-data'],
  ['a private network', 'http://10.0.0.1/photo.jpg'],
  ['loopback as a number', 'http://2130706433/photo.jpg'],
  ['loopback as IPv6', 'http://[::ffff:127.0.0.1]/photo.jpg'],
  ['a file', 'file:///etc/passwd'],
])('a media URL of an internal address (%s) is rejected by name, and no post is created', async (_what, url) => {
  const all = () => platform.fanfare.posts.list(platform.tenant.business_id).toArray();
  const before = (await all()).length;
  const rejection: unknown = await create({ caption: 'With an image', media_urls: [url] }).catch((error: unknown) => error);
  expect(rejection).toMatchObject({ name: 'FanfareError', param: 'media_urls.0' });
  expect([400, 422]).toContain((rejection as FanfareError).status);
  expect(await all()).toHaveLength(before);
});

test('a file that is not an image is rejected, and a URL of our own media refers to that media', async () => {
  await expect(upload(platform, Buffer.from('MZ this is a program'), 'photo.jpg')).rejects.toMatchObject({
    status: 400,
    code: 'invalid_value',
    param: 'file',
  });
  const whole = await jpeg();
  await expect(upload(platform, whole.subarray(0, whole.length / 2))).rejects.toMatchObject({ status: 400, param: 'file' });
  const media = await upload(platform, whole);
  const post = await create({ caption: 'By its address', media_urls: [media.url ?? ''] });
  expect(post.media_details).toMatchObject([{ id: media.id, url: media.url, type: 'image' }]);
});

test('no process logged a token, a key or a secret', async () => {
  const { readFileSync } = await import('node:fs');
  const names = ['gateway', 'content', 'publisher', 'library'] as const;
  const logs = names.map((name) => readFileSync(platform.logOf(name), 'utf8')).join('\n');
  expect(logs.length).toBeGreaterThan(1_000);
  expect(logs).not.toContain(platform.tenant.api_key);
  expect(logs).not.toMatch(/Bearer \S|sandbox-\w+-secret|access_token=(?!\[)/);
});
