// A backup is restored while the platforms have what was published since: each post exists once, and nothing is lost without a result.
import { topics } from '@fanfare/contracts';
import type { Integration, RestoreFence } from '@fanfare/contracts/publisher';
import { systemCall } from '@fanfare/rpc';
import { copyDatabases, eventually, testInfrastructure, type DatabaseCopy } from '@fanfare/testing';
import { MongoClient, type Collection } from 'mongodb';
import type { DeliveryDocument } from '../../src/deliveries/delivery.ts';
import { startPublisher, type TestPublisher, type Wanted } from '../running-publisher.ts';

let publisher: TestPublisher;
/** Of its own: the publisher closes the one that it has. */
let mongo: MongoClient;
let deliveries: Collection<DeliveryDocument>;
let client: TestPublisher['client'];
let accounts: Record<'facebook' | 'instagram' | 'linkedin' | 'x', Integration>;
/** Caption → id of the delivery. */
const ids = new Map<string, string>();
let backup: DatabaseCopy;
let fence: RestoreFence | undefined;

const operator = () => ({ call: { metadata: systemCall('operator', {}) } });
const getFence = async () => (await client.getRestoreFence({}, operator())).fence;
const raise = async (since: Date | undefined, until?: Date) => (await client.raiseRestoreFence({ since, until }, operator())).fence;
const lift = async () => (await client.liftRestoreFence({}, operator())).fence;
const row = (caption: string) => deliveries.findOne({ _id: ids.get(caption) ?? '' });
const posts = (caption: string) => publisher.sandbox.posts(caption);
const until = (caption: string, is: (delivery: DeliveryDocument) => boolean) =>
  eventually(async () => {
    const found = await row(caption);
    return found !== null && is(found) && found;
  });
/** For the message of a failure. */
const stillOpen = async (): Promise<string> => {
  const rows = await deliveries.find({ open: true }, { projection: { content: 0, entries: 0 } }).toArray();
  return JSON.stringify(rows, undefined, 1);
};
const entries = async (caption: string) => {
  const request = { postId: (await row(caption))?.post_id ?? '', after: undefined, pageSize: 200 };
  return (await client.listEntries(request, publisher.call)).entries;
};
const ended = (caption: string) => until(caption, ({ open }) => !open);

async function publish(...wanted: Omit<Wanted, 'postId'>[]): Promise<void> {
  const made = await publisher.publish(...wanted);
  for (const [index, { caption }] of wanted.entries()) ids.set(caption, made[index] ?? '');
}
const onAll = async (name: string): Promise<Omit<Wanted, 'postId'>[]> => [
  { integration: accounts.facebook, caption: `${name} on Facebook`, firstComment: 'Once' },
  { integration: accounts.x, caption: `${name} on X` },
  { integration: accounts.instagram, caption: `${name} on Instagram`, mediaIds: [await publisher.library.addImage()] },
  { integration: accounts.linkedin, caption: `${name} on LinkedIn`, mediaIds: [await publisher.library.addImage()] },
];
const EVERYWHERE = ['Facebook', 'X', 'Instagram', 'LinkedIn'];

beforeAll(async () => {
  publisher = await startPublisher();
  client = publisher.client;
  mongo = await new MongoClient(testInfrastructure().mongoUrl).connect();
  deliveries = mongo.db(publisher.db.databaseName).collection('deliveries');
  accounts = {
    facebook: await publisher.connect('facebook'),
    instagram: await publisher.connect('instagram'),
    // A page: the posts of a person cannot be read.
    linkedin: await publisher.connectAs('linkedin', await publisher.sandbox.createAccount('linkedin', 'a_page')),
    x: await publisher.connect('x'),
  };
  // Ended before the backup.
  await publish(...(await onAll('Before')));
  for (const where of EVERYWHERE) await ended(`Before on ${where}`);
  // Its commit is ambiguous at the time of the backup, and was never carried out: its container proves that. No process has it any more.
  await publisher.sandbox.fault('instagram.publish_container', { type: 'status', status: 503, apply: 'before' }, null);
  await publish({ integration: accounts.instagram, caption: 'Prepared', mediaIds: [await publisher.library.addImage()] });
  await until('Prepared', ({ commit, waiting }) => commit !== undefined && waiting?.reason === 'confirming');
  await deliveries.updateOne({ _id: ids.get('Prepared') ?? '' }, { $set: { run_at: new Date('2100-01-01') }, $inc: { fence: 1 } });
  await publisher.sandbox.clearFaults();
  // Published before the backup, but its first comment is made after it.
  await publisher.sandbox.fault('facebook.create_comment', { type: 'hold' }, null);
  await publish({ integration: accounts.facebook, caption: 'Not commented', firstComment: 'Once' });
  await until('Not commented', ({ published_at }) => published_at !== undefined);
  // Under way at the time of the backup.
  await publish(...(await onAll('During')), ...(await onAll('Also during')));
  await eventually(async () => (await row('Also during on X')) !== null);
  backup = await copyDatabases(mongo, [publisher.db.databaseName]);
  await publisher.sandbox.clearFaults();
  // After the backup.
  const twin = async () => ({ integration: accounts.instagram, caption: 'Twins', mediaIds: [await publisher.library.addImage()] });
  await publish(...(await onAll('After')), await twin());
  await publisher.publish(await twin());
  for (const name of ['During', 'Also during', 'After']) for (const where of EVERYWHERE) await ended(`${name} on ${where}`);
  await ended('Not commented');
  await eventually(async () => (await posts('Twins')).length === 2);
  await publisher.sandbox.clearFaults();

  ({ client } = await publisher.restart({ PAUSE_ON_START: 'true' }, () => backup.restore()));
});
afterAll(async () => {
  await publisher.stop();
  await mongo.close();
});

test('a backup has the collection of the fence, though none was ever raised: otherwise a restoration would not replace it', async () => {
  expect(await mongo.db(publisher.db.databaseName).listCollections({ name: 'restore_fences' }).toArray()).toHaveLength(1);
});

test('nothing is sent before the fence is raised, whatever is requested again', async () => {
  const [lost = ''] = await publisher.publish({ integration: accounts.x, caption: 'Never sent', dueAt: backup.takenAt });
  ids.set('Never sent', lost);
  await publisher.repeatAll();
  await eventually(async () => (await row('After on X'))?.status === 'DELIVERY_STATUS_PENDING');
  expect((await client.listPauses({}, operator())).pauses).toMatchObject([{ id: 'restore-fence' }]);
  expect(await posts('Never sent')).toEqual([]);
  await expect(getFence()).rejects.toMatchObject({ code: 'resource_not_found' });
  await expect(lift()).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('an invalid time is rejected', async () => {
  const future = new Date(Date.now() + 3_600_000);
  await expect(raise(undefined)).rejects.toMatchObject({ code: 'missing_field', param: 'since' });
  await expect(raise(future)).rejects.toMatchObject({ code: 'invalid_value', param: 'since' });
  await expect(raise(backup.takenAt, new Date(0))).rejects.toMatchObject({ code: 'invalid_value', param: 'until' });
  await expect(raise(backup.takenAt, future)).rejects.toMatchObject({ code: 'invalid_value', param: 'until' });
});

test('under the fence, deliveries are found or proved absent, or their outcome is unknown, and nothing is sent', async () => {
  const sent = (await publisher.sandbox.posts()).length;
  fence = await raise(backup.takenAt);
  expect(fence?.checking).toBeGreaterThan(0);
  await expect(lift()).rejects.toMatchObject({ code: 'conflict' });
  // An interrupted command is run again.
  const again = await raise(backup.takenAt);
  expect(again).toMatchObject({ since: backup.takenAt, until: fence?.until });
  fence = await eventually(async () => {
    const found = await getFence();
    if (found?.checking !== 0) throw new Error(`Not reconciled: ${await stillOpen()}`);
    return found;
  });
  expect(fence).toMatchObject({ absent: 1, unknown: 3 });
  expect(await publisher.sandbox.posts()).toHaveLength(sent);
  for (const name of ['During', 'Also during', 'After']) {
    for (const where of EVERYWHERE) {
      // A post that was found is completed after that.
      await ended(`${name} on ${where}`);
      const { status, publish_id } = (await row(`${name} on ${where}`)) ?? {};
      expect({ name, where, status }).toEqual({ name, where, status: 'DELIVERY_STATUS_SUCCESS' });
      expect((await posts(`${name} on ${where}`)).map(({ id }) => id)).toEqual([publish_id]);
    }
  }
  expect(await ended('Not commented')).toMatchObject({
    status: 'DELIVERY_STATUS_SUCCESS',
    warnings: [expect.stringContaining('it is unknown')],
  });
  // Two posts with the same content: which one is whose, nobody can tell.
  for (const caption of ['Never sent', 'Twins']) {
    expect(await row(caption)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', error_type: 'unknown_outcome' });
  }
  expect(await row('Prepared')).toMatchObject({ open: true, restored: { result: 'absent' } });
  const ofPrepared = await entries('Prepared');
  expect(ofPrepared.find(({ kind }) => kind === 'restored')).toMatchObject({
    actor: 'system:operator',
    details: { backup_at: backup.takenAt.toISOString() },
  });
  expect(ofPrepared.map(({ kind }) => kind)).not.toContain('taken_over');
});

test('what was found is reported with revisions that nobody has seen yet, and its first comment is not made again', async () => {
  const comments = (await publisher.sandbox.exchanges('facebook.create_comment')).length;
  const [last] = publisher.eventsOf(ids.get('After on Facebook') ?? '').slice(-1);
  expect(last).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', warnings: [expect.stringContaining('it is unknown')] });
  expect((await row('After on Facebook'))?.revision).toBeGreaterThan(1_000);
  expect(comments).toBe(5);
});

test('when the fence is lifted, what is absent and what is new is sent, each once, and the fence stays lifted', async () => {
  await publish({ integration: accounts.x, caption: 'New' });
  await eventually(async () => (await row('New')) !== null);
  expect(await posts('New')).toEqual([]);
  expect(await lift()).toMatchObject({ liftedAt: expect.any(Date), checking: 0 });
  for (const caption of ['Prepared', 'New']) {
    expect(await ended(caption)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
    expect(await posts(caption)).toHaveLength(1);
  }
  expect(await lift()).toMatchObject({ liftedAt: expect.any(Date) });
  expect(await raise(backup.takenAt)).toMatchObject({ liftedAt: expect.any(Date) });
  expect((await client.listPauses({}, operator())).pauses).toEqual([]);
  for (const [caption, count] of [
    ['Never sent', 0],
    ['Twins', 2],
    ['Before on X', 1],
  ] as const)
    expect(await posts(caption)).toHaveLength(count);
});

test('a publication of that time that is requested only now is reconciled before it is sent', async () => {
  const [late = ''] = await publisher.publish({ integration: accounts.x, caption: 'Late', dueAt: backup.takenAt });
  ids.set('Late', late);
  expect(await ended('Late')).toMatchObject({ error_type: 'unknown_outcome' });
  expect(await posts('Late')).toEqual([]);
  expect((await entries('Late')).slice(0, 2)).toMatchObject([
    { kind: 'delivery_requested' },
    { kind: 'restored', actor: 'system:publisher' },
  ]);
});

test('of one with a strategy, an account that waits for another reports with revisions that nobody has seen yet', async () => {
  const request = { strategy: 'PUBLISH_STRATEGY_PRIMARY_FIRST', dueAt: backup.takenAt } as const;
  const made = await publisher.publishTogether('Late in turn', [accounts.x, accounts.facebook], request);
  const [first, second] = await Promise.all(made.map((id) => publisher.outcome(id)));
  expect(first).toMatchObject({ errorType: 'unknown_outcome' });
  expect(second).toMatchObject({ errorType: 'primary_failed' });
  const events = publisher.peer.received(topics.deliveryChanged).filter(({ data }) => data.deliveryId === made[1]);
  expect(events.map(({ revision, data }) => [revision, data.waiting?.reason])).toEqual([
    [1_001, 'others'],
    [1_002, undefined],
  ]);
  expect(await posts('Late in turn')).toEqual([]);
});
