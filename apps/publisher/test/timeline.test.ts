import { readFileSync } from 'node:fs';
import type { Entry } from '@fanfare/contracts/timeline';
import type { Integration } from '@fanfare/contracts/publisher';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import type { DeliveryDocument } from '../src/deliveries/delivery.ts';
import { deliveryRows } from '../src/deliveries/store/deliveries.ts';
import { startPublisher, type TestPublisher, type Wanted } from './running-publisher.ts';

let publisher: TestPublisher;
let x: Integration;
let instagram: Integration;

beforeAll(async () => {
  publisher = await startPublisher();
  x = await publisher.connect('x');
  instagram = await publisher.connect('instagram');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const rows = () => publisher.db.collection<DeliveryDocument>('deliveries');
const entriesOf = async (postId: string, call = publisher.call): Promise<Entry[]> =>
  (await publisher.client.listEntries({ postId, after: undefined, pageSize: 200 }, call)).entries;
/** Each entry as its kind and the details that matter, in short. */
const summaries = (entries: readonly Entry[]) =>
  entries.map(({ kind, details = {} }) => {
    const more = ['step', 'outcome', 'reason', 'finding', 'error_type'].flatMap((name) => (details[name] as string | undefined) ?? []);
    return [kind, ...more].join(' ');
  });
const publish = async (wanted: Wanted): Promise<{ id: string; postId: string }> => {
  const postId = newId();
  const [id = ''] = await publisher.publish({ ...wanted, postId });
  return { id, postId };
};
const ended = async (wanted: Wanted): Promise<Entry[]> => {
  const { id, postId } = await publish(wanted);
  await publisher.outcome(id);
  return entriesOf(postId);
};

test('shows how a text is published, with the account, the post and the times', async () => {
  const entries = await ended({ integration: x, caption: 'Shown' });
  expect(summaries(entries)).toEqual(['delivery_requested', 'delivery_begun', 'attempt', 'step create_post ok', 'published']);
  const [post] = await publisher.sandbox.posts('Shown');
  for (const { details, actor } of entries) {
    expect(details).toMatchObject({ platform: 'x', integration_id: x.id, delivery_id: expect.any(String) as string });
    expect(actor).toBe('system:publisher');
  }
  expect(entries.at(-1)?.details).toMatchObject({ publish_id: post?.id, post_url: expect.stringMatching(/^https?:/) as string });
  const times = entries.map(({ at }) => at?.getTime() ?? 0);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('shows the steps of media; polling has one entry', async () => {
  const mediaIds = [publisher.library.addVideo(readFileSync('apps/sandbox/test/fixtures/reel.mp4'))];
  // On a busy machine, usual processing would be over before the first poll.
  await publisher.sandbox.fault('instagram.create_container', { type: 'slow_processing', ms: 3_000 });
  const entries = summaries(await ended({ integration: instagram, caption: 'A reel', mediaIds }));
  expect(entries.slice(0, 3)).toEqual(['delivery_requested', 'delivery_begun', expect.stringMatching(/^step \w+ ok$/)]);
  expect(entries.at(-1)).toBe('published');
  expect(entries.filter((one) => one === 'waiting processing')).toHaveLength(1);
  expect(entries.length).toBeLessThan(12);
});

test('shows a retry: what the platform responded, why it waits and until when', async () => {
  const reset = String(Math.floor(Date.now() / 1_000) + 20);
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429, headers: { 'x-rate-limit-reset': reset } });
  const entries = await ended({ integration: x, caption: 'Retried' });
  expect(summaries(entries)).toEqual([
    'delivery_requested',
    'delivery_begun',
    'attempt',
    'step create_post rate_limited',
    'waiting rate_limited',
    'attempt',
    'step create_post ok',
    'published',
  ]);
  const [, , , step, waiting] = entries;
  expect(step?.details).toMatchObject({ step_kind: 'commit', message: expect.any(String) as string });
  expect(new Date(String(waiting?.details?.['until'])).getTime()).toBeGreaterThan(waiting?.at?.getTime() ?? Infinity);
  expect(entries.filter(({ kind }) => kind === 'attempt').map(({ details }) => details?.['attempt'])).toEqual([1, 2]);
});

test('shows how a lost response is reconciled', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  expect(summaries(await ended({ integration: x, caption: 'Lost and found' })).slice(2)).toEqual([
    'attempt',
    'step create_post lost',
    'waiting confirming',
    'looked_up found',
    'published',
  ]);
  await publisher.sandbox.fault('x.create_post', { type: 'drop' });
  expect(summaries(await ended({ integration: x, caption: 'Lost for good' })).slice(3)).toEqual([
    'step create_post lost',
    'waiting confirming',
    'looked_up not_found',
    'waiting confirming',
    'looked_up not_found',
    'waiting confirming',
    'looked_up not_found',
    'failed unknown_outcome',
  ]);
});

test('has no entry of a look at a platform that cannot be read', async () => {
  const linkedin = await publisher.connect('linkedin');
  await publisher.sandbox.fault('linkedin.create_post', { type: 'accept_then_drop' });
  expect(summaries(await ended({ integration: linkedin, caption: 'Not to be seen' })).slice(3)).toEqual([
    'step create_post lost',
    'waiting confirming',
    'looked_up not_possible',
    'failed unknown_outcome',
  ]);
});

test('shows that another process has taken the delivery over, and what the first one began is not lost', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_timeout', ms: 30_000 });
  const { id, postId } = await publish({ integration: x, caption: 'Taken over' });
  await eventually(async () => (await rows().findOne({ _id: id }))?.commit !== undefined);
  // Another process leases it and dies at once.
  const another = publisher.context.mongo.client.db(publisher.db.databaseName);
  await eventually(async () => {
    await rows().updateOne({ _id: id }, [{ $set: { run_at: '$$NOW' } }]);
    return (await deliveryRows.leaseThese(another, [id], 100)).length > 0;
  });
  await publisher.outcome(id);
  expect(summaries(await entriesOf(postId)).slice(2)).toEqual([
    'attempt',
    'taken_over',
    'waiting confirming',
    'looked_up found',
    'published',
  ]);
});

describe('shows what operators do:', () => {
  const operator = { call: { metadata: systemCall('operator', {}) } };
  const reason = 'A customer asks';

  test('they end a wait', async () => {
    const headers = { 'x-rate-limit-reset': String(Math.floor(Date.now() / 1_000) + 3_600) };
    await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429, headers });
    const { id, postId } = await publish({ integration: x, caption: 'Retried by an operator' });
    await eventually(async () => (await rows().findOne({ _id: id }))?.waiting !== undefined);
    await publisher.client.retryDelivery({ deliveryId: id, reason, confirmNotPublished: false }, operator);
    await publisher.outcome(id);
    const entries = await entriesOf(postId);
    expect(summaries(entries).slice(3)).toEqual([
      'step create_post rate_limited',
      'waiting rate_limited',
      'retried',
      'attempt',
      'step create_post ok',
      'published',
    ]);
    expect(entries.find(({ kind }) => kind === 'retried')).toMatchObject({ actor: 'system:operator', details: { integration_id: x.id } });
    // The timeline is the customer's, and the reason is the operator's.
    expect(JSON.stringify(entries)).not.toContain(reason);
  });

  test('they end a lease, and what is known of the commit is reported', async () => {
    await publisher.sandbox.fault('x.create_post', { type: 'hold_after' });
    const { id, postId } = await publish({ integration: x, caption: 'Released by an operator' });
    await eventually(async () => (await publisher.sandbox.posts('Released by an operator')).length > 0);
    await publisher.client.releaseDelivery({ deliveryId: id, reason }, operator);
    await publisher.outcome(id);
    const entries = await entriesOf(postId);
    expect(summaries(entries).slice(2)).toEqual(['attempt', 'released', 'waiting confirming', 'looked_up found', 'published']);
    expect(entries.find(({ kind }) => kind === 'released')?.actor).toBe('system:operator');
    expect(publisher.eventsOf(id).some(({ waiting }) => waiting?.reason === 'confirming')).toBe(true);
  });
});

test('entries of a running delivery are in its row, and move to the ledger when it ends', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_timeout', ms: 30_000 });
  const { id, postId } = await publish({ integration: x, caption: 'Running' });
  const row = await eventually(async () => {
    const found = await rows().findOne({ _id: id });
    return found?.commit ? found : undefined;
  });
  expect(row.entries?.map(({ kind }) => kind)).toEqual(['delivery_begun', 'attempt']);
  expect(summaries(await entriesOf(postId)).slice(0, 3)).toEqual(['delivery_requested', 'delivery_begun', 'attempt']);
  const [first, second] = await entriesOf(postId);
  const after = { at: first?.at, id: first?.id ?? '' };
  expect((await publisher.client.listEntries({ postId, after, pageSize: 1 }, publisher.call)).entries).toEqual([second]);
  await publisher.outcome(id);
  expect(await rows().findOne({ _id: id })).not.toHaveProperty('entries');
  const ids = (await entriesOf(postId)).map((entry) => entry.id);
  expect(ids).toEqual(ids.map((_, index) => `${id}:${String(index + 1).padStart(8, '0')}`));
});

test('the message of a platform is shown, without what is secret in a URL', async () => {
  const detail = 'Rejected, see https://upload.x.com/1/media.json?signature=5f0c1d7a9e3b48266c0f now.';
  await publisher.sandbox.fault('x.create_post', {
    type: 'status',
    status: 400,
    apply: 'before',
    body: { title: 'Invalid', detail, status: 400 },
  });
  const entries = await ended({ integration: x, caption: 'Signed' });
  expect(JSON.stringify(entries)).not.toContain('5f0c1d7a9e3b48266c0f');
  expect(entries.at(-1)).toMatchObject({
    kind: 'failed',
    details: { error_message: 'Rejected, see https://upload.x.com/1/media.json?*** now.' },
  });
});

test('an unknown platform is shown as failed', async () => {
  const [id = ''] = await publisher.publish({ integration: { ...x, platform: 'carrier_pigeon' }, caption: 'Unknown' });
  await publisher.outcome(id);
  const row = await rows().findOne({ _id: id });
  expect(summaries(await entriesOf(row?.post_id ?? ''))).toEqual(['delivery_requested', 'failed validation_failed']);
});

test('others cannot read it', async () => {
  const { id, postId } = await publish({ integration: x, caption: 'Mine' });
  await publisher.outcome(id);
  const { organizationId } = publisher.scope;
  for (const scope of [
    { organizationId: newId(), businessId: newId() },
    { organizationId, businessId: newId() },
  ]) {
    expect(await entriesOf(postId, callAs(scope))).toEqual([]);
  }
});

test('every chain verifies, of running deliveries too; a changed entry is named', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_timeout', ms: 30_000 });
  const { id, postId } = await publish({ integration: x, caption: 'Verified' });
  await eventually(async () => (await rows().findOne({ _id: id }))?.commit !== undefined);
  const verify = async (which: { postId?: string } = {}) => {
    const request = { organizationId: undefined, postId: which.postId, pageToken: '' };
    return (await publisher.client.verifyLedger(request, publisher.call)).problems.map(({ chain, position, problem }) => [
      chain,
      position,
      problem,
    ]);
  };
  expect(await verify()).toEqual([]);
  await publisher.outcome(id);
  expect(await verify()).toEqual([]);
  const ledger = publisher.db.collection('ledger');
  expect(await ledger.countDocuments({ chain: id })).toBeGreaterThan(4);
  await ledger.updateOne({ chain: id, n: 3 }, { $set: { 'details.attempt': 2 } });
  expect(await verify({ postId })).toEqual([[id, 3, 'changed']]);
  await ledger.deleteMany({ chain: id });
  expect(await verify({ postId })).toEqual([[id, expect.any(Number), 'missing']]);
});
