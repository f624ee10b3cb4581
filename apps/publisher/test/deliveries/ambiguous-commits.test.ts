import { readFileSync } from 'node:fs';
import { connectors, PlatformFailure, type MainStep } from '@fanfare/connectors';
import type { Integration } from '@fanfare/contracts/publisher';
import { raisedFence } from '@fanfare/leased-work';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import type { Context } from '../../src/context.ts';
import { beginStep, runStep, outcomeOf, withResult } from '../../src/engine/run-step.ts';
import type { Run } from '../../src/engine/run.ts';
import { writeOutcome } from '../../src/engine/write-outcome.ts';
import type { DeliveryDocument } from '../../src/deliveries/delivery.ts';
import { findIntegration } from '../../src/accounts/store/integrations.ts';
import { startPublisher, type TestPublisher, type Wanted } from '../running-publisher.ts';

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
afterEach(() => jest.restoreAllMocks());
afterEach(() => publisher.sandbox.clearFaults());

test.each([
  ['the connection breaks after it', { type: 'accept_then_drop' }],
  ['the response never comes', { type: 'accept_then_timeout', ms: 30_000 }],
  ['the response is 500', { type: 'status', status: 500, apply: 'after' }],
  ['the response is cut off', { type: 'truncate' }],
  ['a proxy responds instead', { type: 'html', status: 502, apply: 'after' }],
  ['a firewall rejects it after it was sent', { type: 'html', status: 403, apply: 'after' }],
  ['a proxy reports too many requests after it was sent', { type: 'html', status: 429, apply: 'after' }],
])('a post whose response is lost because %s is found, and exists once', async (why, fault) => {
  await publisher.sandbox.fault('x.create_post', fault);
  const caption = `Lost: ${why}`;
  const [id = ''] = await publisher.publish({ integration: x, caption });
  const event = await publisher.outcome(id);
  const posts = await publisher.sandbox.posts(caption);
  expect(posts).toHaveLength(1);
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: posts[0]?.id, attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.create_post', caption)).toHaveLength(1);
});

test.each([
  ['video', 'facebook.create_video'],
  ['reel', 'facebook.finish_reel'],
])('a %s on Facebook whose response is lost is found, and exists once', async (kind, operation) => {
  await publisher.sandbox.fault(operation, { type: 'accept_then_drop' });
  const caption = `A lost ${kind}`;
  const mediaIds = [publisher.library.addVideo(readFileSync('apps/sandbox/test/fixtures/reel.mp4'))];
  const [id = ''] = await publisher.publish({ integration: facebook, caption, mediaIds, options: { kind } });
  const event = await publisher.outcome(id);
  const [post, ...more] = await publisher.sandbox.posts(caption);
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: post?.details['video_id'], attempts: 1 });
  expect(more).toEqual([]);
  expect(await publisher.sandbox.exchanges(operation)).toHaveLength(1);
});

test('a request that was lost without a trace is not sent again: its outcome is unknown', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Vanished' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome', attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.create_post', 'Vanished')).toHaveLength(1);
  // While it waits it reports why; afterwards it does not.
  const reported = publisher
    .eventsOf(id)
    .map(({ status, waiting }) => `${status.replace('DELIVERY_STATUS_', '')} ${waiting?.reason ?? ''}`);
  expect([[...new Set(reported.slice(0, -1))], reported.at(-1)]).toEqual([['PROCESSING confirming'], 'FAILED ']);
});

test('if the platform proves that nothing was published, the post is sent again', async () => {
  const mediaIds = [await publisher.library.addImage()];
  await publisher.sandbox.fault('instagram.publish_container', { type: 'drop' });
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Proven absent', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 2 });
  expect(await publisher.sandbox.posts('Proven absent')).toHaveLength(1);
});

test('if the platform proves that it was published, the post is found and not sent again', async () => {
  const mediaIds = [await publisher.library.addImage()];
  await publisher.sandbox.fault('instagram.publish_container', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Proven there', mediaIds });
  const event = await publisher.outcome(id);
  const [post] = await publisher.sandbox.posts('Proven there');
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, publishId: post?.id });
});

test('a proof that nothing was published counts only if a second read confirms it', async () => {
  const mediaIds = [await publisher.library.addImage()];
  // The first read comes before Instagram has carried out the lost request.
  const find = jest.spyOn(connectors.instagram.publish, 'findPublished').mockResolvedValueOnce({ proof: 'not_published', candidates: [] });
  await publisher.sandbox.fault('instagram.publish_container', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Late', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(find.mock.calls.length).toBeGreaterThan(1);
  expect(await publisher.sandbox.posts('Late')).toHaveLength(1);
  find.mockRestore();
});

test('a delivery is given up if the platform loses every commit', async () => {
  const mediaIds = [await publisher.library.addImage()];
  await publisher.sandbox.fault('instagram.publish_container', { type: 'drop' }, null);
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Never taken', mediaIds });
  expect(await publisher.outcome(id, 45_000)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'platform_unavailable' });
  expect(await publisher.sandbox.posts('Never taken')).toEqual([]);
});

test('a token that expires while an outcome is unknown does not cause a second post', async () => {
  const account = await publisher.connectAs('x', await publisher.sandbox.createAccount('x', 'ends_in_doubt'));
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.refresh_token', { type: 'status', status: 503 }, 2);
  const caption = 'Ambiguous with an old token';
  const [id = ''] = await publisher.publish({ integration: account, caption });
  await eventually(async () => (await rowOf(id))?.['commit'] !== undefined);
  await publisher.db
    .collection('integrations')
    .updateOne({ _id: account.id as never }, { $set: { token_expires_at: new Date(Date.now() - 1_000) } });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.create_post', caption)).toHaveLength(1);
  expect(await publisher.sandbox.exchanges('x.refresh_token')).not.toHaveLength(0);
});

test('while a platform cannot be read, an ambiguous commit is reconciled as often as necessary for an hour', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' }, 2);
  await publisher.sandbox.fault('x.list_user_posts', { type: 'status', status: 503 }, null);
  const [id = '', given = ''] = await publisher.publish(
    { integration: x, caption: 'Read as often as necessary' },
    { integration: x, caption: 'Never to be read' },
  );
  const rows = publisher.db.collection('deliveries');
  const failedReads = async (of: string) => ((await rowOf(of))?.['commit'] as { failed_reads: number } | undefined)?.failed_reads ?? 0;
  // The publisher may be reading for this row: what it then writes must not replace what is set here.
  const set = (of: string, fields: object) =>
    rows.updateOne({ _id: of as never }, [{ $set: { ...fields, run_at: new Date(0), fence: raisedFence } }]);
  await eventually(async () => (await failedReads(id)) >= 1 && (await failedReads(given)) >= 1);
  // Nothing listens at the platform's address: no call is sent at all.
  const { context } = publisher;
  const http = jest.spyOn(context.platforms, 'http').mockReturnValue({
    send: () => Promise.reject(new PlatformFailure('transient', 'There is no connection.', { effect: 'not_sent' })),
  });
  await set(id, { 'commit.failed_reads': 20 });
  await eventually(async () => (await failedReads(id)) >= 21);
  await eventually(() => publisher.eventsOf(id).at(-1)?.waiting?.message.includes('There is no connection.'));
  expect(publisher.eventsOf(id).at(-1)).toMatchObject({ status: 'DELIVERY_STATUS_PROCESSING', waiting: { reason: 'confirming' } });
  await set(given, { 'commit.failed_reads': 20, 'commit.deadline_at': new Date(Date.now() - 2 * 3600_000) });
  expect(await publisher.outcome(given)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome' });
  http.mockRestore();
  await publisher.sandbox.clearFaults();
  await set(id, {});
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
});

test('an account that loses its access while an outcome is unknown leaves it unknown', async () => {
  const accountId = await publisher.sandbox.createAccount('x', 'lost_in_doubt');
  const account = await publisher.connectAs('x', accountId);
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: account, caption: 'Ambiguous without a token' });
  await eventually(async () => (await rowOf(id))?.['commit'] !== undefined);
  await publisher.sandbox.revoke(accountId);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome' });
});

test('an image that is deleted while an outcome is unknown leaves it unknown', async () => {
  const image = await publisher.library.addImage();
  await publisher.sandbox.fault('facebook.create_photo', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'Ambiguous without an image', mediaIds: [image] });
  await eventually(async () => (await rowOf(id))?.['commit'] !== undefined);
  publisher.library.remove(image);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome' });
});

test('a platform that cannot be read for a while is read again', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.list_user_posts', { type: 'status', status: 503 }, 3);
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Read in the end' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
});

test.each([
  ['one business', async (): Promise<Partial<Wanted>> => ({})],
  ['two businesses', elsewhere],
])('a post that could belong to either of two deliveries, of %s, is assigned to neither', async (whose, other) => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  // Neither is searched for before both were sent: until then the first post certainly belongs to its delivery.
  await publisher.sandbox.fault('x.list_user_posts', { type: 'hold' }, null);
  const wanted = { integration: x, caption: `The same twice in ${whose}` };
  const ids = await publisher.publish(wanted, { ...wanted, ...(await other()) });
  await eventually(async () => (await publisher.sandbox.exchanges('x.create_post', wanted.caption)).length === 2);
  await publisher.sandbox.clearFaults();
  const outcomes = await Promise.all(ids.map((id) => publisher.outcome(id)));
  expect(await publisher.sandbox.posts(wanted.caption)).toHaveLength(1);
  expect(outcomes.map(({ errorType }) => errorType)).toEqual(['unknown_outcome', 'unknown_outcome']);
});

test('a post that another business made to the same account is not assigned to this delivery', async () => {
  const wanted = { integration: x, caption: 'Made by the neighbours' };
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  // Nobody reads the list before the post of the other business exists.
  await publisher.sandbox.fault('x.list_user_posts', { type: 'hold' }, null);
  const [lost = ''] = await publisher.publish({ ...wanted, ...(await elsewhere()) });
  await eventually(async () => (await publisher.sandbox.exchanges('x.create_post', wanted.caption)).length === 1);
  const [made = ''] = await publisher.publish(wanted);
  expect(await publisher.outcome(made)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  await publisher.sandbox.clearFaults();
  expect(await publisher.outcome(lost)).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    errorType: 'unknown_outcome',
    publishId: undefined,
  });
  expect(await publisher.sandbox.posts(wanted.caption)).toHaveLength(1);
});

test('a post that is sent again after an unknown outcome is found where LinkedIn reports it as a duplicate', async () => {
  const linkedin = await publisher.connect('linkedin');
  await publisher.sandbox.fault('linkedin.create_post', { type: 'accept_then_drop' });
  const wanted = { integration: linkedin, caption: 'There all along', postId: newId() };
  const [lost = ''] = await publisher.publish(wanted);
  expect(await publisher.outcome(lost)).toMatchObject({ errorType: 'unknown_outcome' });
  const [stranger = ''] = await publisher.publish({ ...wanted, postId: newId() });
  expect(await publisher.outcome(stranger)).toMatchObject({ errorType: 'duplicate_content' });
  const [again = ''] = await publisher.publish(wanted);
  const [post, ...more] = await publisher.sandbox.posts(wanted.caption);
  expect(await publisher.outcome(again)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: post?.id });
  expect(more).toEqual([]);
});

test('the platform is not read before the settle time of the commit has passed', async () => {
  const [id = ''] = await publisher.publish({ integration: { id: newId(), platform: 'x' }, caption: 'Not readable yet' });
  await publisher.outcome(id);
  const before = (await publisher.sandbox.exchanges('x.list_user_posts')).length;
  const began_at = new Date();
  const settled_at = new Date(Date.now() + 3600_000);
  const commit = { began_at, deadline_at: settled_at, settled_at, fingerprint: 'f', finds: 0, failed_reads: 0 };
  // Left by a process that died during its commit.
  const left = { integration_id: x.id, status: 'DELIVERY_STATUS_PROCESSING', open: true, commit, fence: 0, run_at: new Date(0) };
  await publisher.db.collection('deliveries').updateOne({ _id: id as never }, { $set: left });
  // Leased and released.
  await eventually(async () => (await rowOf(id))?.['fence'] >= 2);
  expect(await rowOf(id)).toMatchObject({ run_at: settled_at, commit, open: true });
  expect(await publisher.sandbox.exchanges('x.list_user_posts')).toHaveLength(before);
});

test('of two posts that look alike, neither is chosen', async () => {
  await publisher.sandbox.fault('instagram.publish_container', { type: 'accept_then_drop' }, 2);
  const wanted = { integration: instagram, caption: 'Two that look alike', mediaIds: [await publisher.library.addImage()] };
  // Nobody reads the list before both posts exist.
  await publisher.sandbox.fault('instagram.list_media', { type: 'hold' }, null);
  const ids = await publisher.publish(wanted, wanted);
  await eventually(async () => (await publisher.sandbox.posts(wanted.caption)).length === 2);
  await publisher.sandbox.clearFaults();
  const outcomes = await Promise.all(ids.map((id) => publisher.outcome(id)));
  const standsUnderAnUnknownId = { status: 'DELIVERY_STATUS_SUCCESS', publishId: undefined, attempts: 1 };
  expect(outcomes).toMatchObject([standsUnderAnUnknownId, standsUnderAnUnknownId]);
});

describe('a commit that certainly was not sent is not ambiguous and is retried:', () => {
  const never = () => Promise.reject(new PlatformFailure('transient', 'The call before it got no response.', { effect: 'unknown' }));
  test.each<[string, Partial<MainStep>, number]>([
    ['its deadline had passed', {}, 1e-6],
    ['the call before it got no response', { run: never }, 1],
    ['we failed before it', { run: () => Promise.reject(new TypeError('A bug of ours.')) }, 1],
  ])('%s', async (why, more, deadlineScale) => {
    const { context, db } = publisher;
    const caption = `Never sent: ${why}`;
    const [id = ''] = await publisher.publish({ integration: { id: newId(), platform: 'x' }, caption });
    await publisher.outcome(id);
    const deliveries = db.collection<DeliveryDocument>('deliveries');
    // Leased by this test, so that the dispatcher does not take it.
    const leased = await deliveries.findOneAndUpdate(
      { _id: id },
      { $set: { open: true, run_at: new Date(Date.now() + 3600_000) } },
      { returnDocument: 'after' },
    );
    const integration = await findIntegration(db, x.id);
    if (!leased || !integration) throw new Error('There is nothing to lease.');
    const content = { caption, media: [] };
    const next = connectors.x.publish.next(content, {});
    if (!('step' in next) || next.step.kind !== 'commit') throw new Error('There is no commit.');
    const scaled: Context = { ...context, config: { ...context.config, deadlineScale } };
    const run: Run = {
      context: scaled,
      log: context.log,
      connector: connectors.x,
      content,
      integration,
      tokens: 'usable',
      delivery: leased,
    };
    const step = { ...next.step, ...more };
    const begun = await beginStep(run, step);
    const result = await runStep(begun, step);
    const ran = withResult(begun, step, result);
    expect(await writeOutcome(ran, await outcomeOf(ran, step, result))).toBeUndefined();
    const after = await rowOf(id);
    expect(after).toMatchObject({ attempts: 1, failures: 1, unsent: 1, open: true });
    expect(after).not.toHaveProperty('commit');
    expect(await publisher.sandbox.exchanges('x.create_post', caption)).toEqual([]);
  });
});

/** The same account, connected by another business. */
async function elsewhere() {
  const neighbours = { organizationId: newId(), businessId: newId() };
  return { ...neighbours, integration: await publisher.connect('x', callAs(neighbours), x.accountId) };
}

const rowOf = (id: string) => publisher.db.collection('deliveries').findOne({ _id: id as never });
