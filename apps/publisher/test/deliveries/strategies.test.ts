import type { Integration } from '@fanfare/contracts/publisher';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
let facebook: Integration;
let instagram: Integration;
let linkedin: Integration;
let x: Integration;
beforeAll(async () => {
  publisher = await startPublisher({ instances: 2 });
  facebook = await publisher.connect('facebook');
  instagram = await publisher.connect('instagram');
  linkedin = await publisher.connect('linkedin');
  x = await publisher.connect('x');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const SUCCESS = 'DELIVERY_STATUS_SUCCESS';
const FAILED = 'DELIVERY_STATUS_FAILED';
const PRIMARY_FIRST = { strategy: 'PUBLISH_STRATEGY_PRIMARY_FIRST' } as const;
const ALL_OR_NOTHING = { strategy: 'PUBLISH_STRATEGY_ALL_OR_NOTHING' } as const;
const outcomes = (ids: readonly string[]) => Promise.all(ids.map((id) => publisher.outcome(id)));
const where = async (caption: string) => (await publisher.sandbox.posts(caption)).map(({ platform }) => platform);
/** It is published, and the others are not. */
const isPublicForNow = ({ waiting }: DeliveryChanged): boolean => waiting?.message.startsWith('Published.') ?? false;
const rejects = (operation: string) => publisher.sandbox.fault(operation, { type: 'status', status: 400 });

/** The timeline of each delivery, in short. */
const entriesOf = (ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const request = { postId: publisher.eventsOf(id)[0]?.postId ?? '', after: undefined, pageSize: 200 };
      const { entries } = await publisher.client.listEntries(request, publisher.call);
      const own = entries.filter(({ details }) => details?.['delivery_id'] === id);
      return own.map(({ kind, details }) => (kind === 'waiting' ? `waiting ${String(details?.['reason'])}` : kind));
    }),
  );

describe('primary_first', () => {
  test('the others begin when the first one has the post', async () => {
    const ids = await publisher.publishTogether('First here', [x, facebook], PRIMARY_FIRST);
    const [first, second] = await outcomes(ids);
    expect([first?.status, second?.status]).toEqual([SUCCESS, SUCCESS]);
    expect(first!.publishedAt!.getTime()).toBeLessThanOrEqual(second!.publishedAt!.getTime());
    expect(await where('First here')).toEqual(['x', 'facebook']);
  });

  test('their timelines show that they wait', async () => {
    const ids = await publisher.publishTogether('Has to wait', [x, facebook], PRIMARY_FIRST);
    await outcomes(ids);
    expect((await entriesOf(ids)).map((entries) => entries.filter((entry) => entry !== 'step'))).toEqual([
      ['delivery_requested', 'delivery_begun', 'attempt', 'published'],
      ['delivery_requested', 'waiting others', 'delivery_begun', 'attempt', 'published'],
    ]);
  });

  test('the others must begin as soon after the first one as that had to after its time', async () => {
    await publisher.sandbox.fault('x.create_post', { type: 'hold' });
    const ids = await publisher.publishTogether('In time', [x, facebook], PRIMARY_FIRST);
    const rows = publisher.db.collection<{ _id: string; publish_before?: Date; stage?: string }>('deliveries');
    const second = ids[1] ?? '';
    await eventually(async () => (await rows.findOne({ _id: second }))?.stage === 'held');
    const [MINUTE_MS, dueAt] = [60_000, new Date(Date.now() - 3_600_000)];
    const publish_before = new Date(dueAt.getTime() + 5 * MINUTE_MS);
    await rows.updateOne({ _id: second }, { $set: { due_at: dueAt, publish_before } });
    await publisher.sandbox.clearFaults();
    expect((await outcomes(ids)).map(({ status }) => status)).toEqual([SUCCESS, SUCCESS]);
    const leftMs = ((await rows.findOne({ _id: second }))?.publish_before?.getTime() ?? 0) - Date.now();
    expect(leftMs).toBeGreaterThan(3 * MINUTE_MS);
    expect(leftMs).toBeLessThanOrEqual(5 * MINUTE_MS);
  });

  test('if the first one fails, nothing is sent to the others, and they say why', async () => {
    await rejects('x.create_post');
    const ids = await publisher.publishTogether('Rejected first', [x, facebook, instagram], PRIMARY_FIRST);
    expect(await outcomes(ids)).toMatchObject([
      { status: FAILED, errorType: 'validation_failed' },
      {
        status: FAILED,
        errorType: 'primary_failed',
        errorMessage: 'Not sent: this post goes to X first, and publishing it there failed.',
        attempts: 0,
      },
      { status: FAILED, errorType: 'primary_failed' },
    ]);
    expect(await where('Rejected first')).toEqual([]);
  });

  test('the others report that they wait, and for whom, until it is their turn', async () => {
    await publisher.sandbox.fault('x.create_post', { type: 'hold' });
    const ids = await publisher.publishTogether('Reported', [x, facebook, linkedin], PRIMARY_FIRST);
    const waits = (id: string) => publisher.eventsOf(id).map(({ status, waiting }) => [status, waiting?.reason, waiting?.message]);
    const pending = ['DELIVERY_STATUS_PENDING', 'others', 'Not sent yet: this post goes to X first.'];
    for (const id of ids.slice(1)) await eventually(() => waits(id).length > 0);
    expect(ids.slice(1).map(waits)).toEqual([[pending], [pending]]);
    await publisher.sandbox.clearFaults();
    expect((await outcomes(ids)).map(({ status }) => status)).toEqual([SUCCESS, SUCCESS, SUCCESS]);
    for (const id of ids.slice(1)) expect(waits(id).slice(0, 2)).toEqual([pending, ['DELIVERY_STATUS_PENDING', undefined, undefined]]);
  });

  test('a delivery that waits for the first one continues waiting when an operator makes it due', async () => {
    await publisher.sandbox.fault('x.create_post', { type: 'hold' });
    const ids = await publisher.publishTogether('In its turn', [x, facebook], PRIMARY_FIRST);
    const rows = publisher.db.collection<{ _id: string; fence: number; run_at?: Date }>('deliveries');
    const second = ids[1] ?? '';
    const { fence } = await eventually(async () => (await rows.findOne({ _id: second })) ?? undefined);
    await rows.updateOne({ _id: second }, { $set: { run_at: new Date(0) } });
    await eventually(async () => {
      const row = await rows.findOne({ _id: second });
      return row !== null && row.fence > fence && row.run_at === undefined;
    });
    expect(await where('In its turn')).toEqual([]);
    const [request, operator] = [{ deliveryId: second, reason: 'A customer asks' }, { call: { metadata: systemCall('operator', {}) } }];
    await expect(publisher.client.releaseDelivery(request, operator)).rejects.toMatchObject({ code: 'conflict' });
    await expect(publisher.client.retryDelivery({ ...request, confirmNotPublished: false }, operator)).rejects.toMatchObject({
      code: 'conflict',
    });
    await publisher.sandbox.clearFaults();
    expect((await outcomes(ids)).map(({ status }) => status)).toEqual([SUCCESS, SUCCESS]);
    expect(await where('In its turn')).toEqual(['x', 'facebook']);
  });

  test('if it is not known whether the first one has the post, nothing is sent to the others', async () => {
    await publisher.sandbox.fault('x.create_post', { type: 'drop' });
    const ids = await publisher.publishTogether('Perhaps first', [x, facebook], PRIMARY_FIRST);
    const [first, second] = await outcomes(ids);
    expect([first?.errorType, second?.errorType]).toEqual(['unknown_outcome', 'primary_failed']);
    expect(second?.errorMessage).toBe('Not sent: this post goes to X first, and it is not known whether it was published there.');
    expect(await where('Perhaps first')).not.toContain('facebook');
  });
});

describe('all_or_nothing', () => {
  test('everything is prepared before the first post is public, and what stays for ever comes last', async () => {
    const mediaIds = [await publisher.library.addImage('A cup')];
    const ids = await publisher.publishTogether('All of them', [instagram, x, facebook], { ...ALL_OR_NOTHING, mediaIds });
    expect((await outcomes(ids)).map(({ status }) => status)).toEqual([SUCCESS, SUCCESS, SUCCESS]);
    expect((await where('All of them')).at(-1)).toBe('instagram');
    // It was reported as published when nothing could take it back any more.
    const reported = ids.slice(1).map((id) => publisher.eventsOf(id).filter((event) => event.status === SUCCESS || isPublicForNow(event)));
    for (const events of reported) expect(events.map(({ status }) => status)).toEqual(['DELIVERY_STATUS_PROCESSING', SUCCESS]);
    // Before that, those that were not the first reported that they waited for their turn.
    for (const id of [ids[0]!, ids[2]!])
      expect(publisher.eventsOf(id).map(({ waiting }) => waiting?.message)).toContainEqual(expect.stringMatching(/^Prepared\. /));
    for (const entries of await entriesOf(ids)) expect(entries.indexOf('waiting others')).toBeLessThan(entries.indexOf('attempt'));
  });

  test('if one cannot be prepared, none is published', async () => {
    const mediaIds = [await publisher.library.addImage('A cup')];
    await rejects('x.upload_media');
    const ids = await publisher.publishTogether('None of them', [x, facebook], { ...ALL_OR_NOTHING, mediaIds });
    expect(await outcomes(ids)).toMatchObject([
      { status: FAILED },
      {
        status: FAILED,
        errorType: 'other_target_failed',
        errorMessage: 'Not published: this post goes to all of its accounts or to none, and publishing it to X failed.',
      },
    ]);
    expect(await where('None of them')).toEqual([]);
    await eventually(async () => (await publisher.db.collection('deliveries').countDocuments({ open: true })) === 0);
  });

  test('if an account is disconnected while it waits for its turn, none is published', async () => {
    const leaving = await publisher.connectAs('linkedin', await publisher.sandbox.createAccount('linkedin', 'leaves_before_its_turn'));
    const inAnHour = { 'x-rate-limit-reset': String(Math.floor(Date.now() / 1_000) + 3600) };
    await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429, headers: inAnHour });
    const ids = await publisher.publishTogether('Not without it', [x, leaving], ALL_OR_NOTHING);
    await eventually(() => publisher.eventsOf(ids[0]!).some(({ waiting }) => waiting?.reason === 'rate_limited'));
    await publisher.client.disconnectIntegration(
      { operationId: newId(), integrationId: leaving.id, expectedRevisions: [] },
      publisher.call,
    );
    expect(await outcomes(ids)).toMatchObject([
      {
        status: FAILED,
        errorType: 'other_target_failed',
        errorMessage: 'Not published: this post goes to all of its accounts or to none, and publishing it to LinkedIn failed.',
      },
      { status: FAILED, errorType: 'permission_denied' },
    ]);
    expect(await where('Not without it')).toEqual([]);
  });

  test('if one fails when others are public, they are removed again, and say so', async () => {
    await rejects('facebook.create_feed_post');
    const ids = await publisher.publishTogether('Taken back', [x, facebook], ALL_OR_NOTHING);
    await eventually(() => publisher.eventsOf(ids[0]!).some(({ status }) => status === FAILED));
    const events = publisher.eventsOf(ids[0]!);
    expect(events.slice(events.findIndex(isPublicForNow)).map(({ status, waiting }) => [status, waiting?.reason])).toEqual([
      ['DELIVERY_STATUS_PROCESSING', 'others'],
      ['DELIVERY_STATUS_PROCESSING', 'removing'],
      [FAILED, undefined],
    ]);
    expect(publisher.eventsOf(ids[0]!).at(-1)).toMatchObject({
      errorType: 'other_target_failed',
      errorMessage: 'Published, and removed again: this post goes to all of its accounts or to none, and publishing it to Facebook failed.',
      publishId: undefined,
      postUrl: undefined,
      publishedAt: undefined,
    });
    expect(await where('Taken back')).toEqual([]);
  });

  test('one that cannot be removed yet says why', async () => {
    await rejects('facebook.create_feed_post');
    await publisher.sandbox.fault('x.delete_post', { type: 'status', status: 503 }, null);
    const ids = await publisher.publishTogether('Not removed yet', [x, facebook], ALL_OR_NOTHING);
    const hasReason = ({ waiting }: DeliveryChanged) =>
      waiting?.reason === 'removing' && waiting.message.includes('does not remove it yet: ');
    await eventually(() => publisher.eventsOf(ids[0]!).some(hasReason));
    await publisher.sandbox.clearFaults();
    await eventually(() => publisher.eventsOf(ids[0]!).at(-1)?.status === FAILED);
    expect(await where('Not removed yet')).toEqual([]);
  });

  test('what cannot be removed stays, with a warning', async () => {
    await rejects('facebook.create_feed_post');
    await publisher.sandbox.fault('x.delete_post', { type: 'status', status: 403 }, null);
    const ids = await publisher.publishTogether('Stays', [x, facebook], ALL_OR_NOTHING);
    const [warning] = await eventually(() => {
      const last = publisher.eventsOf(ids[0]!).at(-1);
      return last?.status === SUCCESS && last.warnings.length > 0 && last.warnings;
    });
    expect(warning).toContain('This post stays here, although publishing it to Facebook failed: it could not be removed.');
    expect(await where('Stays')).toEqual(['x']);
    const [entries] = await entriesOf([ids[0]!]);
    expect(entries!.slice(entries!.indexOf('published'))).toEqual(['published', 'waiting removing', 'removal_attempt', 'removal_failed']);
  });

  test('if it is not known whether one is public, nothing more is published, and nothing is removed', async () => {
    await publisher.sandbox.fault('facebook.create_feed_post', { type: 'drop' }, null);
    const ids = await publisher.publishTogether('In doubt', [x, facebook, linkedin], ALL_OR_NOTHING);
    expect((await outcomes(ids.slice(1))).map(({ errorType }) => errorType)).toEqual(['unknown_outcome', 'other_target_failed']);
    await eventually(() => publisher.eventsOf(ids[0]!).at(-1)?.status === SUCCESS);
    expect(await where('In doubt')).toEqual(['x']);
  });
});
