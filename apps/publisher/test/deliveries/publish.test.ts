import type { Integration } from '@fanfare/contracts/publisher';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
let facebook: Integration;
let instagram: Integration;
let x: Integration;

beforeAll(async () => {
  publisher = await startPublisher();
  facebook = await publisher.connect('facebook');
  instagram = await publisher.connect('instagram');
  x = await publisher.connect('x');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const ids = async (count: number) => Promise.all(Array.from({ length: count }, () => publisher.library.addImage('A cup')));

test.each([
  ['a text', () => facebook, 0],
  ['an image', () => facebook, 1],
  ['three images', () => facebook, 3],
  ['an image', () => instagram, 1],
  ['three images', () => instagram, 3],
  ['a text', () => x, 0],
  ['two images', () => x, 2],
] as const)('%s reaches the platform once (%#), with its id and URL reported', async (what, account, images) => {
  const integration = account();
  const caption = `${what} for ${integration.platform}`;
  const [id = ''] = await publisher.publish({ integration, caption, mediaIds: await ids(images) });
  const event = await publisher.outcome(id);
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, errorType: undefined, integrationId: integration.id });
  expect(event.publishedAt).toBeInstanceOf(Date);
  expect(event.postUrl).toMatch(/^http/);

  const posts = await publisher.sandbox.posts(caption);
  expect(posts).toHaveLength(1);
  expect(posts[0]).toMatchObject({ platform: integration.platform, account_id: integration.accountId });
  expect(posts[0]?.media).toHaveLength(images);
  expect(event.publishId).toBe(posts[0]?.id);
});

test('an image that the platform does not accept is sent in a format that it accepts', async () => {
  const mediaIds = [await publisher.library.addPng()];
  const [id = '', onFacebook = ''] = await publisher.publish(
    { integration: instagram, caption: 'A PNG', mediaIds },
    { integration: facebook, caption: 'A PNG as it is', mediaIds },
  );
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await publisher.sandbox.posts('A PNG')).toMatchObject([{ media: [{ content_type: 'image/jpeg' }] }]);
  expect(await publisher.outcome(onFacebook)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await publisher.sandbox.posts('A PNG as it is')).toMatchObject([{ media: [{ content_type: 'image/png' }] }]);
});

test('an image that loses quality in a conversion adds a warning, and one that only changes its type does not', async () => {
  const [heavy, light] = [await publisher.library.addPng({ sizeBytes: 6_000_000 }), await publisher.library.addPng()];
  const [lessened = '', other = '', failed = ''] = await publisher.publish(
    { integration: x, caption: 'A heavy PNG', mediaIds: [heavy] },
    { integration: instagram, caption: 'A light PNG', mediaIds: [light] },
    {
      integration: x,
      caption: 'A large PNG that is rejected',
      mediaIds: [heavy],
      options: { poll: { options: ['a', 'b'], duration_minutes: 5 } },
    },
  );
  expect(await publisher.outcome(lessened)).toMatchObject({
    status: 'DELIVERY_STATUS_SUCCESS',
    warnings: ['media_urls.0: It is converted to image/jpeg before it is sent. Reason: 6000000 bytes; at most 5000000 are allowed.'],
  });
  expect(await publisher.outcome(other)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', warnings: [] });
  expect(await publisher.outcome(failed)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', warnings: [] });
});

test('an image that cannot be converted fails the delivery, with the reason', async () => {
  const mediaIds = [await publisher.library.addPng({ canBeConverted: false })];
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'A broken PNG', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({
    ...{ status: 'DELIVERY_STATUS_FAILED', errorType: 'media_failed', errorMessage: 'This image is broken.', attempts: 0 },
  });
});

test('a delivery with media reports that it is processing before its result; a text reports only its result', async () => {
  const mediaIds = [await publisher.library.addImage()];
  const [media = '', text = ''] = await publisher.publish(
    { integration: x, caption: 'Two events', mediaIds },
    { integration: x, caption: 'One event' },
  );
  await Promise.all([publisher.outcome(media), publisher.outcome(text)]);
  expect(publisher.eventsOf(media).map(({ status }) => status)).toEqual(['DELIVERY_STATUS_PROCESSING', 'DELIVERY_STATUS_SUCCESS']);
  expect(publisher.eventsOf(text).map(({ status }) => status)).toEqual(['DELIVERY_STATUS_SUCCESS']);
});

test('content that the platform does not accept is not sent', async () => {
  const [tooLong = '', noImage = ''] = await publisher.publish(
    { integration: x, caption: 'o'.repeat(281) },
    { integration: instagram, caption: 'No image' },
  );
  const failed = { status: 'DELIVERY_STATUS_FAILED', errorType: 'validation_failed', attempts: 0, publishId: undefined };
  expect(await publisher.outcome(tooLong)).toMatchObject(failed);
  expect(await publisher.outcome(noImage)).toMatchObject(failed);
  expect(await publisher.sandbox.exchanges('x.create_post', 'ooooo')).toEqual([]);
});

test('an unknown platform fails its own delivery, and the others continue', async () => {
  const unknown = { id: '01990000-0000-7000-8000-000000000001', platform: 'of_tomorrow' };
  const [tomorrow = '', today = ''] = await publisher.publishTogether('To two platforms', [unknown, x]);
  expect(await publisher.outcome(tomorrow)).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    platform: 'of_tomorrow',
    errorType: 'validation_failed',
    errorMessage: 'This platform is not supported.',
    attempts: 0,
  });
  expect(await publisher.outcome(today)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await publisher.sandbox.posts('To two platforms')).toMatchObject([{ platform: 'x' }]);
  expect(await rowOf(tomorrow)).toMatchObject({ open: false, revision: 1 });
});

test('a deleted image fails the delivery', async () => {
  const [image = ''] = await ids(1);
  publisher.library.remove(image);
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Without its image', mediaIds: [image] });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'media_failed' });
  expect(await publisher.sandbox.posts('Without its image')).toEqual([]);
});

test('an album is sent completely or not at all: an image that the library leaves out fails the delivery', async () => {
  const mediaIds = await ids(3);
  publisher.library.leaveOut(mediaIds[1] ?? '');
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'One image short', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'media_failed' });
  expect(await publisher.sandbox.posts('One image short')).toEqual([]);
});

test('the same request, received again, changes nothing', async () => {
  const wanted = { integration: x, caption: 'Received twice' };
  const [id = ''] = await publisher.publish(wanted);
  await publisher.outcome(id);
  const before = await publisher.db.collection('deliveries').findOne({ _id: id as never });
  await publisher.repeatLast();
  const [next = ''] = await publisher.publish({ integration: x, caption: 'After the repeat' });
  await publisher.outcome(next);
  expect(await publisher.db.collection('deliveries').findOne({ _id: id as never })).toEqual(before);
  expect(await publisher.sandbox.posts('Received twice')).toHaveLength(1);
});

test('while the library is unavailable a delivery waits, then continues, however long that took', async () => {
  await publisher.library.stopResponding();
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Waits for its image', mediaIds: await ids(1) });
  // More attempts than a platform would get.
  await eventually(async () => (await rowOf(id))['fence'] > 24);
  await publisher.library.comeBack();
  // Failures of the platform do not add to these attempts.
  await publisher.sandbox.fault('x.upload_media', { type: 'status', status: 503 });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await publisher.sandbox.posts('Waits for its image')).toHaveLength(1);
});

test('a first comment is created once, under the post', async () => {
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'With a comment', firstComment: 'First!' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  const [post] = await publisher.sandbox.posts('With a comment');
  expect(post?.comments.map(({ text }) => text)).toEqual(['First!']);
});

test.each(['accept_then_drop', 'drop'])(
  'a first comment whose response is lost (%s) is not sent again, and the post succeeds',
  async (type) => {
    await publisher.sandbox.fault('facebook.create_comment', { type });
    const caption = `Comment lost by ${type}`;
    const [id = ''] = await publisher.publish({ integration: facebook, caption, firstComment: caption.toUpperCase() });
    const warnings = ['Add first comment: it is unknown whether this step succeeded, and it is not retried.'];
    expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, warnings });
    expect(await publisher.sandbox.exchanges('facebook.create_comment', caption.toUpperCase())).toHaveLength(1);
  },
);

test('a first comment that a dead process began is not sent again, and the post succeeds', async () => {
  await publisher.sandbox.fault('facebook.create_comment', { type: 'hold_after' });
  const caption = 'Begun by one that died';
  const [id = ''] = await publisher.publish({ integration: facebook, caption, firstComment: caption.toUpperCase() });
  const comments = async () => (await publisher.sandbox.posts(caption))[0]?.comments ?? [];
  await eventually(async () => (await comments()).length === 1);
  // The state that a dead process leaves: an expired lease, and no result of the comment.
  await publisher.db.collection('deliveries').updateOne({ _id: id as never }, { $inc: { fence: 1 }, $set: { run_at: new Date(0) } });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await comments()).toHaveLength(1);
  expect(publisher.eventsOf(id).at(-1)?.warnings).toEqual([expect.stringContaining('Add first comment')]);
});

test('a first comment that the platform rejects does not fail the post, and the message of the platform is reported', async () => {
  const rejection = { error: { message: 'Comments are closed here.', type: 'OAuthException', code: 200 } };
  await publisher.sandbox.fault('facebook.create_comment', { type: 'status', status: 403, body: rejection });
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'No comment', firstComment: 'Not wanted' });
  const warnings = [expect.stringMatching(/^Add first comment: .*Comments are closed here/)];
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', warnings });
});

test('an account that loses its access between the post and its comment does not fail the post', async () => {
  const username = 'lost_before_comment';
  const accountId = await publisher.sandbox.createAccount('x', username);
  const account = await publisher.connectAs('x', accountId);
  await publisher.sandbox.fault('x.create_post', { type: 'hold_after' });
  const caption = 'The post stands';
  const [id = ''] = await publisher.publish({ integration: account, caption, firstComment: 'Never made' });
  await eventually(async () => (await publisher.sandbox.posts(caption)).length === 1);
  await publisher.sandbox.revoke(accountId);
  await publisher.sandbox.clearFaults();
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: expect.any(String) });
  expect((await rowOf(id))['warnings']).toHaveLength(1);
});

test('a delivery whose account is disconnected before it begins names that as the reason', async () => {
  const unknown = { id: '01990000-0000-7000-8000-000000000000', platform: 'x' };
  const [id = ''] = await publisher.publish({ integration: unknown, caption: 'Nobody there' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'permission_denied' });
});

async function rowOf(id: string) {
  const row = await publisher.db.collection('deliveries').findOne({ _id: id as never });
  if (!row) throw new Error(`There is no delivery ${id}.`);
  return row;
}
