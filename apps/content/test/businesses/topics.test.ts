import { CreateTopicRequest, UpdateTopicRequest, type Topic } from '@fanfare/contracts/content/topics';
import { newId } from '@fanfare/runtime';
import { callAs } from '@fanfare/testing';
import type { TopicDocument } from '../../src/topics/store/topics.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

type Partially<T extends { fromPartial(object: never): unknown }> = Parameters<T['fromPartial']>[0];

let content: TestContent;
let call: Call;

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const existing = (topic: Topic | undefined) => topic ?? Promise.reject(new Error('No topic.'));
const aRequest = (more: Partially<typeof CreateTopicRequest> = {}) =>
  CreateTopicRequest.fromPartial({ operationId: newId(), topicId: newId(), title: 'Rye bread', ...more });
const create = async (more: Partially<typeof CreateTopicRequest> = {}, by = call) =>
  existing((await content.client.createTopic(aRequest(more), by)).topic);
const read = async (topicId: string, by = call) => existing((await content.client.getTopic({ topicId }, by)).topic);
const update = async (topicId: string, more: Partially<typeof UpdateTopicRequest>, by = call) =>
  existing((await content.client.updateTopic(UpdateTopicRequest.fromPartial({ operationId: newId(), topicId, ...more }), by)).topic);
const remove = (topicId: string, more: { operationId?: string; expectedRevisions?: number[] } = {}, by = call) =>
  content.client.deleteTopic({ operationId: newId(), topicId, expectedRevisions: [], ...more }, by);
const list = (more: { pageSize?: number; pageToken?: string } = {}, by = call) =>
  content.client.listTopics({ pageSize: 100, pageToken: '', ...more }, by);
const aCategory = async (by = call) => {
  const id = newId();
  await content.client.createCategory({ operationId: newId(), categoryId: id, name: `Category ${id}` }, by);
  return id;
};
const notFound = { code: 'resource_not_found' };

test('a topic is stored and read as it was created', async () => {
  const categoryId = await aCategory();
  const topic = await create({ title: '$title', body: '$$NOW\n漢', enabled: false, categoryId });
  expect(topic).toMatchObject({ title: '$title', body: '$$NOW\n漢', enabled: false, categoryId, revision: 1 });
  expect(topic.businessId).toBe(call.call.metadata.businessId);
  expect(await read(topic.id)).toEqual(topic);
});

test('a topic with only a title is enabled and has no category', async () => {
  expect(await create()).toMatchObject({ body: '', enabled: true, categoryId: undefined });
});

test.each([false, true])('twenty concurrent creates of the same topic create it once; in a category: %s', async (categorized) => {
  const request = aRequest(categorized ? { categoryId: await aCategory() } : {});
  const responses = await Promise.all(Array.from({ length: 20 }, () => content.client.createTopic(request, call)));
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  expect((await list()).topics).toEqual([responses[0]?.topic]);
});

describe('updating', () => {
  test('changes the fields of the request and leaves the rest', async () => {
    const before = await create({ body: 'Notes', categoryId: await aCategory() });
    const after = await update(before.id, { title: '$new' });
    expect(after).toEqual({ ...before, title: '$new', revision: 2, updatedAt: after.updatedAt });
    expect(await update(before.id, { body: '', enabled: false })).toMatchObject({ title: '$new', body: '', enabled: false });
    const other = await aCategory();
    expect(await update(before.id, { categoryId: other })).toMatchObject({ categoryId: other });
    expect((await update(before.id, { categoryId: '' })).categoryId).toBeUndefined();
    expect(await read(before.id)).toMatchObject({ title: '$new', body: '', enabled: false, categoryId: undefined, revision: 5 });
  });

  test('requires at least one field, whether or not the topic exists', async () => {
    await expect(update((await create()).id, {})).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(update(newId(), {})).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('happens only at the expected revision', async () => {
    const { id } = await create();
    const categoryId = await aCategory();
    for (const more of [{ title: 'B' }, { categoryId }]) {
      await expect(update(id, { ...more, expectedRevisions: [9] })).rejects.toMatchObject({ code: 'precondition_failed' });
    }
    expect(await update(id, { title: 'B', expectedRevisions: [9, 1] })).toMatchObject({ title: 'B', revision: 2 });
    await expect(remove(id, { expectedRevisions: [1] })).rejects.toMatchObject({ code: 'precondition_failed' });
    await remove(id, { expectedRevisions: [2] });
  });

  test.each([[[]], [[1]]])('changes nothing when it is repeated, for any expected revisions: %p', async (expectedRevisions) => {
    const { id } = await create();
    const more = { operationId: newId(), title: 'B', categoryId: await aCategory(), expectedRevisions };
    const responses = await Promise.all(Array.from({ length: 10 }, () => update(id, more)));
    for (const response of responses) expect(response).toEqual(responses[0]);
    expect(responses[0]).toMatchObject({ title: 'B', revision: 2 });
  });
});

describe('deleting', () => {
  test('hides the topic for good', async () => {
    const { id } = await create();
    const other = await create();
    await remove(id);
    await expect(read(id)).rejects.toMatchObject(notFound);
    await expect(update(id, { title: 'B' })).rejects.toMatchObject(notFound);
    await expect(remove(id)).rejects.toMatchObject(notFound);
    expect((await list()).topics).toEqual([other]);
    expect(await content.db.collection<TopicDocument>('topics').findOne({ _id: id })).toMatchObject({ deleted: true, title: 'Rye bread' });
  });

  test('returns the same when it is repeated', async () => {
    const { id } = await create();
    const more = { operationId: newId(), expectedRevisions: [1] };
    for (let turn = 0; turn < 3; turn++) expect(await remove(id, more)).toEqual({});
  });
});

describe('a topic', () => {
  const attempts = [
    ['read', (id: string, by: Call) => read(id, by)],
    ['updated', (id: string, by: Call) => update(id, { title: 'Mine' }, by)],
    ['deleted', (id: string, by: Call) => remove(id, {}, by)],
  ] as const;

  test.each(attempts)('that does not exist cannot be %s', async (_what, attempt) => {
    await expect(attempt(newId(), call)).rejects.toMatchObject(notFound);
  });

  test.each(attempts)('of another business of the organization cannot be %s', async (_what, attempt) => {
    const topic = await create();
    await expect(attempt(topic.id, aBusiness(call.call.metadata.organizationId))).rejects.toMatchObject(notFound);
    expect(await read(topic.id)).toEqual(topic);
  });

  test.each(attempts)('of another organization: permission is denied when it is to be %s', async (_what, attempt) => {
    const topic = await create();
    const rejection = { code: 'permission_denied', param: 'topic_id' };
    await expect(attempt(topic.id, aBusiness())).rejects.toMatchObject(rejection);
    const { businessId } = call.call.metadata;
    await expect(attempt(topic.id, callAs({ organizationId: newId(), businessId }))).rejects.toMatchObject(rejection);
    expect(await read(topic.id)).toEqual(topic);
  });

  test('can only have a category of its own business', async () => {
    const deleted = await aCategory();
    await content.client.deleteCategory({ operationId: newId(), categoryId: deleted, expectedRevisions: [] }, call);
    const topic = await create();
    const foreign = [
      newId(),
      'nonsense',
      await aCategory(aBusiness(call.call.metadata.organizationId)),
      await aCategory(aBusiness()),
      deleted,
    ];
    for (const categoryId of foreign) {
      const rejection = { code: 'invalid_value', param: 'category_id' };
      await expect(create({ categoryId })).rejects.toMatchObject(rejection);
      await expect(update(topic.id, { categoryId })).rejects.toMatchObject(rejection);
    }
    expect((await list()).topics).toEqual([topic]);
  });
});

describe('the list', () => {
  const documents = () => content.db.collection<TopicDocument>('topics');
  const walk = async (pageSize: number, between: () => Promise<unknown> = async () => undefined) => {
    const pages: Topic[][] = [];
    let pageToken = '';
    do {
      const page = await list({ pageSize, pageToken });
      pages.push(page.topics);
      pageToken = page.nextPageToken;
      await between();
    } while (pageToken !== '');
    return pages;
  };

  test('is ordered newest first, with each topic once, even with equal times and while topics are created', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) ids.push((await create()).id);
    await documents().updateMany({ _id: { $in: ids.slice(2, 6) } }, { $set: { created_at: new Date(0) } });
    const order = [ids[6], ids[1], ids[0], ...ids.slice(2, 6).sort().reverse()];
    expect((await walk(2, () => create())).flat().map(({ id }) => id)).toEqual(order);
  });

  test('contains only the topics of the business', async () => {
    await create();
    const { organizationId, businessId } = call.call.metadata;
    for (const other of [aBusiness(organizationId), callAs({ organizationId: newId(), businessId })]) {
      expect(await list({}, other)).toEqual({ topics: [], nextPageToken: '' });
    }
  });

  test('rejects a page token of another list, or a modified one', async () => {
    for (let index = 0; index < 3; index++) await create();
    const { nextPageToken: pageToken } = await list({ pageSize: 1 });
    const rejection = { code: 'invalid_request', param: 'cursor' };
    await expect(list({ pageToken }, aBusiness())).rejects.toMatchObject(rejection);
    await expect(list({ pageToken: pageToken.slice(1) })).rejects.toMatchObject(rejection);
    await expect(content.client.listCategories({ pageSize: 1, pageToken }, call)).rejects.toMatchObject(rejection);
  });

  test('ends a page early if it would be larger than 2 MiB', async () => {
    const body = '"'.repeat(50_000) + '漢'.repeat(50_000);
    for (let index = 0; index < 12; index++) await create({ body });
    const pages = await walk(100);
    expect(pages.flat()).toHaveLength(12);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(2 << 20);
  });

  test('skips deleted topics without reading them', async () => {
    const other = await create();
    const { _id: _, ...template } = (await documents().findOne({ _id: other.id }))!;
    await documents().insertMany(Array.from({ length: 500 }, () => ({ ...template, _id: newId(), deleted: true, created_at: new Date() })));
    const { businessId } = call.call.metadata;
    const find = documents().find({ business_id: businessId, deleted: false }).sort({ created_at: -1, _id: -1 });
    const { executionStats } = (await find.explain('executionStats')) as { executionStats: { totalKeysExamined: number } };
    expect(executionStats.totalKeysExamined).toBeLessThan(5);
    expect((await list()).topics).toEqual([other]);
  });
});
