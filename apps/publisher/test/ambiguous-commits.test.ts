import { readFileSync } from 'node:fs';
import { connectors, PlatformFailure, type MainStep } from '@fanfare/connectors';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import type { Context } from '../src/context.ts';
import { beginStep, callPlatform, outcomeOf, withResult } from '../src/engine/run-step.ts';
import type { Run } from '../src/engine/run.ts';
import { writeOutcome } from '../src/engine/write-outcome.ts';
import type { DeliveryDocument } from '../src/deliveries/store/deliveries.ts';
import { findIntegration } from '../src/accounts/store/integrations.ts';
import { startPublisher, type TestPublisher, type Wanted } from './running-publisher.ts';

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

test.each([
  ['the connection breaks after it', { type: 'accept_then_drop' }],
  ['the response never comes', { type: 'accept_then_timeout', ms: 5_000 }],
  ['the response is 500', { type: 'status', status: 500, apply: 'after' }],
  ['the response is cut off', { type: 'truncate' }],
  ['a proxy answers instead', { type: 'html', status: 502, apply: 'after' }],
  ['a firewall says no after it', { type: 'html', status: 403, apply: 'after' }],
  ['a proxy says too many after it', { type: 'html', status: 429, apply: 'after' }],
])('a post whose response is lost because %s is found, and there is one of it', async (why, fault) => {
  await publisher.sandbox.fault('x.create_post', fault);
  const caption = `Lost: ${why}`;
  const [id = ''] = await publisher.publish({ integration: x, caption });
  const news = await publisher.outcome(id);
  const posts = await publisher.sandbox.posts(caption);
  expect(posts).toHaveLength(1);
  expect(news).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: posts[0]?.id, attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.create_post', caption)).toHaveLength(1);
});

test.each([
  ['video', 'facebook.create_video'],
  ['reel', 'facebook.finish_reel'],
])('a %s on Facebook whose response is lost is found, and there is one of it', async (kind, operation) => {
  await publisher.sandbox.fault(operation, { type: 'accept_then_drop' });
  const caption = `A lost ${kind}`;
  const mediaIds = [publisher.library.addVideo(readFileSync('apps/sandbox/test/fixtures/reel.mp4'))];
  const [id = ''] = await publisher.publish({ integration: facebook, caption, mediaIds, options: { kind } });
  const news = await publisher.outcome(id);
  const [post, ...more] = await publisher.sandbox.posts(caption);
  expect(news).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: post?.details['video_id'], attempts: 1 });
  expect(more).toEqual([]);
  expect(await publisher.sandbox.exchanges(operation)).toHaveLength(1);
});

test('a request that vanished without a trace is not sent again: its outcome is unknown', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Vanished' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome', attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.create_post', 'Vanished')).toHaveLength(1);
  // Meanwhile it says what it waits for, and afterwards no more.
  const told = publisher.newsOf(id).map(({ status, waiting }) => `${status.replace('DELIVERY_STATUS_', '')} ${waiting?.reason ?? ''}`);
  expect([[...new Set(told.slice(0, -1))], told.at(-1)]).toEqual([['PROCESSING confirming'], 'FAILED ']);
});

test('where the platform proves that nothing was published, it is sent again', async () => {
  const mediaIds = [await publisher.library.addPicture()];
  await publisher.sandbox.fault('instagram.publish_container', { type: 'drop' });
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Proven absent', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 2 });
  expect(await publisher.sandbox.posts('Proven absent')).toHaveLength(1);
});

test('where the platform proves that it was published, it is found and not sent again', async () => {
  const mediaIds = [await publisher.library.addPicture()];
  await publisher.sandbox.fault('instagram.publish_container', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Proven there', mediaIds });
  const news = await publisher.outcome(id);
  const [post] = await publisher.sandbox.posts('Proven there');
  expect(news).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, publishId: post?.id });
});

test('a proof that nothing was published counts only when a second read confirms it', async () => {
  const mediaIds = [await publisher.library.addPicture()];
  // The first read comes before Instagram has carried out the request that was lost.
  const find = jest.spyOn(connectors.instagram.publish, 'findPublished').mockResolvedValueOnce({ proof: 'not_published', candidates: [] });
  await publisher.sandbox.fault('instagram.publish_container', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Late', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(find.mock.calls.length).toBeGreaterThan(1);
  expect(await publisher.sandbox.posts('Late')).toHaveLength(1);
  find.mockRestore();
});

test('a platform that loses every commit is given up some time', async () => {
  const mediaIds = [await publisher.library.addPicture()];
  await publisher.sandbox.fault('instagram.publish_container', { type: 'drop' }, null);
  const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Never taken', mediaIds });
  expect(await publisher.outcome(id, 45_000)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'platform_unavailable' });
  expect(await publisher.sandbox.posts('Never taken')).toEqual([]);
});

test('a token that ends while an outcome is open does not make the post be sent again', async () => {
  const account = await publisher.connectAs('x', await publisher.sandbox.createAccount('x', 'ends_in_doubt'));
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.refresh_token', { type: 'status', status: 503 }, 2);
  const caption = 'In doubt with an old token';
  const [id = ''] = await publisher.publish({ integration: account, caption });
  await eventually(async () => (await rowOf(id))?.['commit'] !== undefined);
  await publisher.db
    .collection('integrations')
    .updateOne({ _id: account.id as never }, { $set: { token_expires_at: new Date(Date.now() - 1_000) } });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await publisher.sandbox.exchanges('x.create_post', caption)).toHaveLength(1);
  expect(await publisher.sandbox.exchanges('x.refresh_token')).not.toHaveLength(0);
});

test('a platform that is kept back by its breaker while an outcome is open is asked as often as it takes', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.list_user_posts', { type: 'status', status: 503 }, null);
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Asked as often as it takes' });
  const rows = publisher.db.collection('deliveries');
  const commitOf = async () => (await rowOf(id))?.['commit'] as { failed_reads: number; unsent_reads?: number } | undefined;
  await eventually(async () => ((await commitOf())?.failed_reads ?? 0) >= 1);
  // Nothing listens where the platform was: no call is made at all.
  const { context } = publisher;
  const http = jest.spyOn(context.platforms, 'http').mockReturnValue({
    send: () => Promise.reject(new PlatformFailure('transient', 'There is no connection.', { effect: 'not_sent' })),
  });
  await eventually(async () => ((await commitOf())?.unsent_reads ?? 0) >= 1);
  await rows.updateOne({ _id: id as never }, { $set: { 'commit.failed_reads': 7, 'commit.unsent_reads': 20, run_at: new Date(0) } });
  await eventually(async () => ((await commitOf())?.unsent_reads ?? 0) >= 21);
  http.mockRestore();
  await publisher.sandbox.clearFaults();
  await rows.updateOne({ _id: id as never }, { $set: { run_at: new Date(0) } });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
});

test('an account that is lost while an outcome is open leaves it unknown', async () => {
  const accountId = await publisher.sandbox.createAccount('x', 'lost_in_doubt');
  const account = await publisher.connectAs('x', accountId);
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: account, caption: 'In doubt without a token' });
  await eventually(async () => (await rowOf(id))?.['commit'] !== undefined);
  await publisher.sandbox.revoke(accountId);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome' });
});

test('a picture that is deleted while an outcome is open leaves it unknown', async () => {
  const picture = await publisher.library.addPicture();
  await publisher.sandbox.fault('facebook.create_photo', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration: facebook, caption: 'In doubt without a picture', mediaIds: [picture] });
  await eventually(async () => (await rowOf(id))?.['commit'] !== undefined);
  publisher.library.remove(picture);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome' });
});

test('a platform that cannot be read for a while is asked again', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.list_user_posts', { type: 'status', status: 503 }, 3);
  const [id = ''] = await publisher.publish({ integration: x, caption: 'Read in the end' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
});

test.each([
  ['one business', async (): Promise<Partial<Wanted>> => ({})],
  ['two businesses', elsewhere],
])('one post that could be the one of either delivery, of %s, is given to neither', async (whose, other) => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  // Neither is looked for before both were sent: until then the first one's post is certainly its own.
  await publisher.sandbox.fault('x.list_user_posts', { type: 'hold' }, null);
  const wanted = { integration: x, caption: `The same twice in ${whose}` };
  const ids = await publisher.publish(wanted, { ...wanted, ...(await other()) });
  await eventually(async () => (await publisher.sandbox.exchanges('x.create_post', wanted.caption)).length === 2);
  await publisher.sandbox.clearFaults();
  const outcomes = await Promise.all(ids.map((id) => publisher.outcome(id)));
  expect(await publisher.sandbox.posts(wanted.caption)).toHaveLength(1);
  expect(outcomes.map(({ errorType }) => errorType)).toEqual(['unknown_outcome', 'unknown_outcome']);
});

test("a post that another business made to the same account is not taken for one's own", async () => {
  const wanted = { integration: x, caption: 'Made by the neighbours' };
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  // Nobody reads the list before the neighbours' post stands.
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

test('a post that is sent again after nobody could tell is found where LinkedIn names it as a repetition', async () => {
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

test('the platform is not asked before the commit has settled', async () => {
  const [id = ''] = await publisher.publish({ integration: { id: newId(), platform: 'x' }, caption: 'Not settled yet' });
  await publisher.outcome(id);
  const before = (await publisher.sandbox.exchanges('x.list_user_posts')).length;
  const began_at = new Date();
  const settled_at = new Date(Date.now() + 3600_000);
  const commit = { began_at, deadline_at: settled_at, settled_at, fingerprint: 'f', finds: 0, failed_reads: 0 };
  // Left by a process that died in the middle of its commit.
  const left = { integration_id: x.id, status: 'DELIVERY_STATUS_PROCESSING', open: true, commit, fence: 0, run_at: new Date(0) };
  await publisher.db.collection('deliveries').updateOne({ _id: id as never }, { $set: left });
  // Leased, and given back.
  await eventually(async () => (await rowOf(id))?.['fence'] >= 2);
  expect(await rowOf(id)).toMatchObject({ run_at: settled_at, commit, open: true });
  expect(await publisher.sandbox.exchanges('x.list_user_posts')).toHaveLength(before);
});

test('of two posts that look alike none is guessed to be the one', async () => {
  await publisher.sandbox.fault('instagram.publish_container', { type: 'accept_then_drop' }, 2);
  const wanted = { integration: instagram, caption: 'Two that look alike', mediaIds: [await publisher.library.addPicture()] };
  // Nobody reads the list before both posts stand.
  await publisher.sandbox.fault('instagram.list_media', { type: 'hold' }, null);
  const ids = await publisher.publish(wanted, wanted);
  await eventually(async () => (await publisher.sandbox.posts(wanted.caption)).length === 2);
  await publisher.sandbox.clearFaults();
  const outcomes = await Promise.all(ids.map((id) => publisher.outcome(id)));
  const standsUnderAnUnknownId = { status: 'DELIVERY_STATUS_SUCCESS', publishId: undefined, attempts: 1 };
  expect(outcomes).toMatchObject([standsUnderAnUnknownId, standsUnderAnUnknownId]);
});

describe('a commit that certainly never left us is not in doubt, and is tried again:', () => {
  const never = () => Promise.reject(new PlatformFailure('transient', 'What comes before it got no response.', { effect: 'unknown' }));
  test.each<[string, Partial<MainStep>, number]>([
    ['its deadline had passed', {}, 1e-6],
    ['what was asked before it got no response', { run: never }, 1],
    ['we failed before it', { run: () => Promise.reject(new TypeError('A bug of ours.')) }, 1],
  ])('%s', async (why, more, deadlineScale) => {
    const { context, db } = publisher;
    const caption = `Never sent: ${why}`;
    const [id = ''] = await publisher.publish({ integration: { id: newId(), platform: 'x' }, caption });
    await publisher.outcome(id);
    const deliveries = db.collection<DeliveryDocument>('deliveries');
    // Held by us, out of the dispatcher's reach.
    const held = await deliveries.findOneAndUpdate(
      { _id: id },
      { $set: { open: true, run_at: new Date(Date.now() + 3600_000) } },
      { returnDocument: 'after' },
    );
    const integration = await findIntegration(db, x.id);
    if (!held || !integration) throw new Error('There is nothing to hold.');
    const content = { caption, media: [] };
    const next = connectors.x.publish.next(content, {});
    if (!('step' in next) || next.step.kind !== 'commit') throw new Error('There is no commit.');
    const scaled: Context = { ...context, config: { ...context.config, deadlineScale } };
    const run: Run = { context: scaled, log: context.log, connector: connectors.x, content, integration, tokens: 'usable', delivery: held };
    const step = { ...next.step, ...more };
    const begun = await beginStep(run, step);
    const result = await callPlatform(begun, step);
    const ran = withResult(begun, step, result);
    expect(await writeOutcome(ran, await outcomeOf(ran, step, result))).toBeUndefined();
    const after = await rowOf(id);
    expect(after).toMatchObject({ attempts: 1, failures: 1, unsent: 1, open: true });
    expect(after).not.toHaveProperty('commit');
    expect(await publisher.sandbox.exchanges('x.create_post', caption)).toEqual([]);
  });
});

/** The same account, connected in somebody else's business. */
async function elsewhere() {
  const neighbours = { organizationId: newId(), businessId: newId() };
  return { ...neighbours, integration: await publisher.connect('x', callAs(neighbours), x.accountId) };
}

const rowOf = (id: string) => publisher.db.collection('deliveries').findOne({ _id: id as never });
