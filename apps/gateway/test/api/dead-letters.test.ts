// Operators look into events that this service could not handle, and replay them. The gateway itself is the service, over real Kafka.
import { topics, type Topic } from '@fanfare/contracts';
import { PostChanged } from '@fanfare/contracts/content/events';
import { newId } from '@fanfare/runtime';
import { eventually, startEventPeer, testInfrastructure, type EventPeer } from '@fanfare/testing';
import { admin, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let peer: EventPeer;
const organizationId = newId();
beforeAll(async () => {
  const infra = testInfrastructure();
  gateway = await startGateway({ KAFKA_BROKERS: infra.kafkaBrokers.join(','), KAFKA_TOPIC_PREFIX: infra.topicPrefix });
  peer = await startEventPeer(infra, 'content', [topics.deliveryChanged]);
  // Not protobuf: its first field claims to be longer than the message.
  await emit(topicOf(Buffer.from([0x0a, 0x7f, 0x01])), 'garbage');
  // Readable, but not of this topic.
  const broken = PostChanged.encode(PostChanged.fromPartial({ postId: 'readable' })).finish();
  await emit({ ...topicOf(broken), type: 'fanfare.content.v1.Unknown' }, 'wrong type');
  await eventually(async () => (await list()).deadLetters.length === 2, 60_000);
});
afterAll(async () => {
  await gateway.stop();
  await peer.stop();
});

const topicOf = (bytes: Uint8Array): Topic<null> => ({
  ...topics.postChanged,
  codec: { encode: () => ({ finish: () => bytes }), decode: () => null },
});
const emit = (topic: Topic<null>, subject: string) =>
  peer.emit(topic, [{ emission: { subject, revision: 1, organizationId, businessId: 'b', flowId: 'f' }, data: null }]);
const list = (filter: Parameters<typeof gateway.admin.listDeadLetters>[0]['filter'] = undefined, page = { pageSize: 100, pageToken: '' }) =>
  gateway.admin.listDeadLetters({ filter, ...page }, admin);
const subjects = async (filter: Parameters<typeof list>[0]) => (await list(filter)).deadLetters.map(({ subject }) => subject).toSorted();
const idOf = async (subject: string) => (await list()).deadLetters.find((each) => each.subject === subject)?.id ?? '';

test('lists them with what they are about and why, by service, type and organization, page by page', async () => {
  expect((await list()).deadLetters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        service: 'gateway',
        topic: 'content.posts',
        type: 'fanfare.content.v1.PostChanged',
        subject: 'garbage',
        organizationId,
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        error: expect.stringContaining('Error'),
        failedAt: expect.any(Date),
        replayedAt: undefined,
      }),
    ]),
  );
  expect(await subjects({ type: 'PostChanged' })).toEqual(['garbage']);
  expect(await subjects({ service: 'gateway', organizationId })).toEqual(['garbage', 'wrong type']);
  expect(await subjects({ service: 'content' })).toEqual([]);
  expect(await subjects({ organizationId: newId() })).toEqual([]);
  const first = await list(undefined, { pageSize: 1, pageToken: '' });
  const second = await list(undefined, { pageSize: 1, pageToken: first.nextPageToken });
  expect([...first.deadLetters, ...second.deadLetters].map(({ subject }) => subject).toSorted()).toEqual(['garbage', 'wrong type']);
  expect(second.nextPageToken).toBe('');
  for (const pageSize of [0, 101])
    await expect(list(undefined, { pageSize, pageToken: '' })).rejects.toMatchObject({ code: 'invalid_value', param: 'page_size' });
});

test('shows the decoded event, or why it cannot be decoded', async () => {
  const shown = await gateway.admin.getDeadLetter({ id: await idOf('wrong type') }, admin);
  expect(JSON.parse(shown.dataJson ?? '')).toMatchObject({ postId: 'readable' });
  const garbage = await gateway.admin.getDeadLetter({ id: await idOf('garbage') }, admin);
  expect(garbage).toMatchObject({ dataJson: undefined, decodeError: expect.any(String), deadLetter: { subject: 'garbage' } });
  await expect(gateway.admin.getDeadLetter({ id: 'gateway:0:4711' }, admin)).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('replays those of a filter that were not replayed, and says what happened', async () => {
  const replay = (request: { id?: string; filter?: { organizationId: string } }, reason = 'The bug is fixed') =>
    gateway.admin.replayDeadLetters({ filter: undefined, ...request, reason }, admin);
  await expect(replay({})).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(replay({ filter: { organizationId } }, ' ')).rejects.toMatchObject({ code: 'missing_field', param: 'reason' });
  await expect(replay({ id: 'gateway:0:4711' })).rejects.toMatchObject({ code: 'resource_not_found' });

  const { deadLetters, remaining } = await replay({ filter: { organizationId } });
  expect(remaining).toBe(0);
  // The bug is not fixed: each is a dead letter again.
  expect(deadLetters.map(({ subject, replayResult }) => [subject, replayResult]).toSorted()).toEqual([
    ['garbage', 'failed_again'],
    ['wrong type', 'failed_again'],
  ]);
  expect(await subjects({ replayed: true })).toEqual(['garbage', 'wrong type']);
  expect(await subjects({ replayed: false })).toEqual(['garbage', 'wrong type']);
  // One by its id, even if it was replayed before.
  const [{ id } = { id: '' }] = deadLetters;
  expect(await replay({ id })).toMatchObject({ deadLetters: [{ id, replayResult: 'failed_again' }], remaining: 0 });
});
