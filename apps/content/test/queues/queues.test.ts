import { newId } from '@fanfare/runtime';
import { queueing, DAILY } from './queueing.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});
const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { aQueue, getQueue, updateQueue, deleteQueue, put, postsOf } = queueing(on);
const list = async () => (await content.client.listQueues({ pageSize: 100, pageToken: '' }, call)).queues;
const names = async () => (await list()).map(({ name, isDefault }) => `${name}${isDefault ? '*' : ''}`);

test('a queue has what it was created with; by default the time zone of its business', async () => {
  const { businessId } = call.call.metadata;
  await content.client.createBusiness(
    {
      operationId: newId(),
      businessId,
      name: 'Bakery',
      description: '',
      industry: '',
      website: '',
      language: '',
      profile: { timezone: 'Europe/Berlin' } as never,
    },
    call,
  );
  const queue = await aQueue();
  expect(queue).toMatchObject({
    businessId,
    revision: 1,
    name: 'Daily',
    slots: DAILY,
    timezone: 'Europe/Berlin',
    paused: false,
    isDefault: true,
    restrictPublishTo: [],
    postCount: 0,
    nextPublishTime: undefined,
  });
  expect(await getQueue(queue)).toEqual(queue);
  expect(await aQueue({ timezone: 'Asia/Tokyo' })).toMatchObject({ timezone: 'Asia/Tokyo', isDefault: false });
});

test('a repeated create returns the first queue', async () => {
  const queueId = newId();
  const first = await aQueue({ queueId });
  expect(await aQueue({ queueId, name: 'Other' })).toEqual(first);
  expect(await list()).toHaveLength(1);
});

test('exactly one queue of a business is the default, whatever happens at once', async () => {
  const created = await Promise.all(['a', 'b', 'c', 'd'].map((name) => aQueue({ name, isDefault: name > 'b' })));
  const defaults = async () => (await list()).filter(({ isDefault }) => isDefault);
  expect(await defaults()).toHaveLength(1);
  await Promise.all([
    ...created.slice(0, 2).map((queue) => updateQueue(queue, { isDefault: true })),
    ...created.slice(2).map((queue) => deleteQueue(queue)),
  ]);
  expect(await defaults()).toHaveLength(1);
  expect(await list()).toHaveLength(2);
});

test('another queue becomes the default, and the default cannot just stop being it', async () => {
  const [one, two] = [await aQueue({ name: 'one' }), await aQueue({ name: 'two' })];
  expect(await names()).toEqual(['two', 'one*']);
  await expect(updateQueue(one, { isDefault: false })).rejects.toMatchObject({ code: 'invalid_request', param: 'is_default' });
  expect(await updateQueue(two, { isDefault: true })).toMatchObject({ isDefault: true });
  expect(await names()).toEqual(['two*', 'one']);
  await deleteQueue(two);
  expect(await names()).toEqual(['one*']);
  await deleteQueue(one);
  expect(await names()).toEqual([]);
  expect(await aQueue()).toMatchObject({ isDefault: true });
});

test.each([
  [{ slots: [] }, 'slots'],
  [{ slots: [{ days: ['mon'], time: '25:00' }] }, 'slots.0.time'],
  [{ slots: [{ days: ['mon'], time: '9:00' }] }, 'slots.0.time'],
  [{ slots: [{ days: ['mon'], time: '09:60' }] }, 'slots.0.time'],
  [{ slots: [{ days: [], time: '09:00' }] }, 'slots.0.days'],
  [{ slots: [{ days: ['mon', 'monday'], time: '09:00' }] }, 'slots.0.days.1'],
  [{ slots: [...DAILY, { days: ['fri'], time: '09:00' }] }, 'slots.1.days.0'],
  [{ slots: [{ days: ['fri', 'fri'], time: '09:00' }] }, 'slots.0.days.1'],
  [
    {
      slots: Array.from({ length: 25 }, (_, at) => ({ ...DAILY[0], time: `${String(at % 24).padStart(2, '0')}:${at < 24 ? '00' : '30'}` })),
    },
    'slots',
  ],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ timezone: '+01:00' }, 'timezone'],
])('rejects %j', async (more, param) => {
  await expect(aQueue(more as never)).rejects.toMatchObject({ code: 'invalid_value', param });
  const queue = await aQueue();
  await expect(updateQueue(queue, more as never)).rejects.toMatchObject({ code: 'invalid_value', param });
  expect(await getQueue(queue)).toEqual(queue);
});

test('an update changes the fields of its mask once, at an expected revision', async () => {
  const queue = await aQueue({ timezone: 'Asia/Tokyo', restrictPublishTo: ['x'] });
  const operationId = newId();
  const renamed = await updateQueue(queue, { name: 'Weekly', operationId, updateMask: ['name'] });
  expect(renamed).toMatchObject({ name: 'Weekly', timezone: 'Asia/Tokyo', restrictPublishTo: ['x'], revision: 2 });
  await updateQueue(queue, { name: 'Monthly' });
  expect(await updateQueue(queue, { name: 'Weekly', operationId, updateMask: ['name'] })).toMatchObject({ name: 'Monthly', revision: 3 });
  await expect(updateQueue(queue, { name: 'x', expectedRevisions: [1], updateMask: ['name'] })).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  await expect(updateQueue(queue, { updateMask: [] })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(updateQueue(queue, { updateMask: ['color'] })).rejects.toMatchObject({ code: 'invalid_request', param: 'color' });
  expect(await updateQueue(queue, { timezone: undefined })).toMatchObject({ timezone: 'UTC' });
});

test('queues of other businesses and organizations are not found', async () => {
  const queue = await aQueue();
  const post = await content.createPost(call);
  await put(post);
  const { organizationId } = call.call.metadata;
  for (const other of [aBusiness(), aBusiness(organizationId)]) {
    call = other;
    for (const read of [() => getQueue(queue), () => postsOf(queue), () => updateQueue(queue, { name: 'Mine' }), () => deleteQueue(queue)])
      await expect(read()).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await list()).toEqual([]);
    const own = await content.createPost(call);
    await expect(put(own, { queueId: queue.id })).rejects.toMatchObject({ code: 'invalid_value', param: 'queue_id' });
    await expect(put(post)).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(content.createPost(call, { queueId: queue.id })).rejects.toMatchObject({ code: 'invalid_value', param: 'queue_id' });
    const mine = await aQueue();
    await put(own);
    await expect(deleteQueue(mine, { posts: 'POSTS_OF_DELETED_QUEUE_MOVE', moveToQueueId: queue.id })).rejects.toMatchObject({
      param: 'posts',
    });
  }
});
