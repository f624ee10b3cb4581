import { CreateTopicRequest, UpdateTopicRequest, type Topic } from '@fanfare/contracts/content/topics';
import { newId } from '@fanfare/runtime';
import { callAs } from '@fanfare/testing';
import type { TopicDocument } from '../src/topics/store/topics.ts';
import { aBusiness, startContent, type Call, type TestContent } from './running-content.ts';

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

test('a topic is kept as it was given, and read back', async () => {
  const categoryId = await aCategory();
  const topic = await create({ title: '$title', body: '$$NOW\n漢', enabled: false, categoryId });
  expect(topic).toMatchObject({ title: '$title', body: '$$NOW\n漢', enabled: false, categoryId, revision: 1 });
  expect(topic.businessId).toBe(call.call.metadata.businessId);
  expect(await read(topic.id)).toEqual(topic);
});

test('one that says nothing more than its title is enabled and has no category', async () => {
  expect(await create()).toMatchObject({ body: '', enabled: true, categoryId: undefined });
});

test.each([false, true])('the same topic asked for twenty times at once is created once; in a category: %s', async (categorized) => {
  const request = aRequest(categorized ? { categoryId: await aCategory() } : {});
  const answers = await Promise.all(Array.from({ length: 20 }, () => content.client.createTopic(request, call)));
  expect(new Set(answers.map((response) => JSON.stringify(response))).size).toBe(1);
  expect((await list()).topics).toEqual([answers[0]?.topic]);
});

describe('updating', () => {
  test('changes what it names and leaves the rest', async () => {
    const before = await create({ body: 'Notes', categoryId: await aCategory() });
    const after = await update(before.id, { title: '$new' });
    expect(after).toEqual({ ...before, title: '$new', revision: 2, updatedAt: after.updatedAt });
    expect(await update(before.id, { body: '', enabled: false })).toMatchObject({ title: '$new', body: '', enabled: false });
    const other = await aCategory();
    expect(await update(before.id, { categoryId: other })).toMatchObject({ categoryId: other });
    expect((await update(before.id, { categoryId: '' })).categoryId).toBeUndefined();
    expect(await read(before.id)).toMatchObject({ title: '$new', body: '', enabled: false, categoryId: undefined, revision: 5 });
  });

  test('needs something to change, whether there is such a topic or not', async () => {
    await expect(update((await create()).id, {})).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(update(newId(), {})).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('happens at an expected revision only', async () => {
    const { id } = await create();
    const categoryId = await aCategory();
    for (const more of [{ title: 'B' }, { categoryId }]) {
      await expect(update(id, { ...more, expectedRevisions: [9] })).rejects.toMatchObject({ code: 'precondition_failed' });
    }
    expect(await update(id, { title: 'B', expectedRevisions: [9, 1] })).toMatchObject({ title: 'B', revision: 2 });
    await expect(remove(id, { expectedRevisions: [1] })).rejects.toMatchObject({ code: 'precondition_failed' });
    await remove(id, { expectedRevisions: [2] });
  });

  test.each([[[]], [[1]]])('a repeat changes nothing more, whichever revisions it expected: %p', async (expectedRevisions) => {
    const { id } = await create();
    const more = { operationId: newId(), title: 'B', categoryId: await aCategory(), expectedRevisions };
    const answers = await Promise.all(Array.from({ length: 10 }, () => update(id, more)));
    for (const response of answers) expect(response).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ title: 'B', revision: 2 });
  });
});

describe('deleting', () => {
  test('takes the topic out of sight, for good', async () => {
    const { id } = await create();
    const kept = await create();
    await remove(id);
    await expect(read(id)).rejects.toMatchObject(notFound);
    await expect(update(id, { title: 'B' })).rejects.toMatchObject(notFound);
    await expect(remove(id)).rejects.toMatchObject(notFound);
    expect((await list()).topics).toEqual([kept]);
    expect(await content.db.collection<TopicDocument>('topics').findOne({ _id: id })).toMatchObject({ deleted: true, title: 'Rye bread' });
  });

  test('a repeat returns the same', async () => {
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

  test.each(attempts)('that is nobody’s cannot be %s', async (_what, attempt) => {
    await expect(attempt(newId(), call)).rejects.toMatchObject(notFound);
  });

  test.each(attempts)('of another business of the organization cannot be %s', async (_what, attempt) => {
    const topic = await create();
    await expect(attempt(topic.id, aBusiness(call.call.metadata.organizationId))).rejects.toMatchObject(notFound);
    expect(await read(topic.id)).toEqual(topic);
  });

  test.each(attempts)('of another organization is refused to whoever wants it %s', async (_what, attempt) => {
    const topic = await create();
    const refusal = { code: 'permission_denied', param: 'topic_id' };
    await expect(attempt(topic.id, aBusiness())).rejects.toMatchObject(refusal);
    const { businessId } = call.call.metadata;
    await expect(attempt(topic.id, callAs({ organizationId: newId(), businessId }))).rejects.toMatchObject(refusal);
    expect(await read(topic.id)).toEqual(topic);
  });

  test('has a category of its own business only', async () => {
    const gone = await aCategory();
    await content.client.deleteCategory({ operationId: newId(), categoryId: gone, expectedRevisions: [] }, call);
    const topic = await create();
    const foreign = [
      newId(),
      'nonsense',
      await aCategory(aBusiness(call.call.metadata.organizationId)),
      await aCategory(aBusiness()),
      gone,
    ];
    for (const categoryId of foreign) {
      const refusal = { code: 'invalid_value', param: 'category_id' };
      await expect(create({ categoryId })).rejects.toMatchObject(refusal);
      await expect(update(topic.id, { categoryId })).rejects.toMatchObject(refusal);
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

  test('is ordered newest first, each topic once, also of one millisecond and while topics are created', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) ids.push((await create()).id);
    await documents().updateMany({ _id: { $in: ids.slice(2, 6) } }, { $set: { created_at: new Date(0) } });
    const order = [ids[6], ids[1], ids[0], ...ids.slice(2, 6).sort().reverse()];
    expect((await walk(2, () => create())).flat().map(({ id }) => id)).toEqual(order);
  });

  test('is the business’s own', async () => {
    await create();
    const { organizationId, businessId } = call.call.metadata;
    for (const other of [aBusiness(organizationId), callAs({ organizationId: newId(), businessId })]) {
      expect(await list({}, other)).toEqual({ topics: [], nextPageToken: '' });
    }
  });

  test('a cursor works for the list that it came from, and untouched', async () => {
    for (let index = 0; index < 3; index++) await create();
    const { nextPageToken: pageToken } = await list({ pageSize: 1 });
    const refusal = { code: 'invalid_request', param: 'cursor' };
    await expect(list({ pageToken }, aBusiness())).rejects.toMatchObject(refusal);
    await expect(list({ pageToken: pageToken.slice(1) })).rejects.toMatchObject(refusal);
    await expect(content.client.listCategories({ pageSize: 1, pageToken }, call)).rejects.toMatchObject(refusal);
  });

  test('ends a page early rather than grow past 2 MiB', async () => {
    const body = '"'.repeat(50_000) + '漢'.repeat(50_000);
    for (let index = 0; index < 12; index++) await create({ body });
    const pages = await walk(100);
    expect(pages.flat()).toHaveLength(12);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(2 << 20);
  });

  test('passes over deleted topics without reading them', async () => {
    const kept = await create();
    const { _id: _, ...template } = (await documents().findOne({ _id: kept.id }))!;
    await documents().insertMany(Array.from({ length: 500 }, () => ({ ...template, _id: newId(), deleted: true, created_at: new Date() })));
    const { businessId } = call.call.metadata;
    const find = documents().find({ business_id: businessId, deleted: false }).sort({ created_at: -1, _id: -1 });
    const { executionStats } = (await find.explain('executionStats')) as { executionStats: { totalKeysExamined: number } };
    expect(executionStats.totalKeysExamined).toBeLessThan(5);
    expect((await list()).topics).toEqual([kept]);
  });
});
