import { CreateTopicRequest, UpdateTopicRequest, type Category } from '@fanfare/contracts/content/topics';
import { newId } from '@fanfare/runtime';
import { eventually, recordLog } from '@fanfare/testing';
import { startCategorySweep } from '../../src/topics/clear-categories.ts';
import type { CategoryDocument } from '../../src/categories/store/categories.ts';
import type { TopicDocument } from '../../src/topics/store/topics.ts';
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

const existing = (category: Category | undefined) => category ?? Promise.reject(new Error('No category.'));
const create = async (name: string, by = call, ids = { operationId: newId(), categoryId: newId() }) =>
  existing((await content.client.createCategory({ ...ids, name }, by)).category);
const read = async (categoryId: string, by = call) => existing((await content.client.getCategory({ categoryId }, by)).category);
const rename = async (
  categoryId: string,
  name: string | undefined,
  more: { operationId?: string; expectedRevisions?: number[] } = {},
  by = call,
) =>
  existing((await content.client.updateCategory({ operationId: newId(), categoryId, expectedRevisions: [], name, ...more }, by)).category);
const remove = (categoryId: string, more: { operationId?: string; expectedRevisions?: number[] } = {}, by = call) =>
  content.client.deleteCategory({ operationId: newId(), categoryId, expectedRevisions: [], ...more }, by);
const list = (pageSize = 100, pageToken = '', by = call) => content.client.listCategories({ pageSize, pageToken }, by);
const aTopic = async (categoryId?: string, by = call) => {
  const ids = { operationId: newId(), topicId: newId() };
  const { topic } = await content.client.createTopic(CreateTopicRequest.fromPartial({ ...ids, title: 'T', categoryId }), by);
  return topic ?? Promise.reject(new Error('No topic.'));
};
const assign = (topicId: string, categoryId: string) =>
  content.client.updateTopic(UpdateTopicRequest.fromPartial({ operationId: newId(), topicId, categoryId }), call);
const topicOf = async (topicId: string) => (await content.client.getTopic({ topicId }, call)).topic;
const notFound = { code: 'resource_not_found' };
const taken = { code: 'invalid_value', param: 'name' };

test('a category is stored, read and listed, newest first', async () => {
  const names = ['$Bread', 'Cakes', 'Opening hours'];
  const created: Category[] = [];
  for (const name of names) created.unshift(await create(name));
  expect(created[2]).toMatchObject({ name: '$Bread', revision: 1, businessId: call.call.metadata.businessId });
  expect(await read(created[2]?.id ?? '')).toEqual(created[2]);
  const first = await list(2);
  const second = await list(2, first.nextPageToken);
  expect([...first.categories, ...second.categories]).toEqual(created);
  expect(second.nextPageToken).toBe('');
  await expect(list(2, first.nextPageToken, aBusiness())).rejects.toMatchObject({ code: 'invalid_request', param: 'cursor' });
  expect((await list(2, '', aBusiness())).categories).toEqual([]);
});

test('twenty concurrent creates of the same category create it once', async () => {
  const ids = { operationId: newId(), categoryId: newId() };
  const responses = await Promise.all(Array.from({ length: 20 }, () => create('Bread', call, ids)));
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  expect((await list()).categories).toHaveLength(1);
});

describe('a name', () => {
  test('is unique in a business, ignoring case', async () => {
    await create('Café');
    for (const name of ['Café', 'CAFÉ', ' café ', 'Cafe\u0301']) await expect(create(name)).rejects.toMatchObject(taken);
    const other = await create('Tea');
    await expect(rename(other.id, 'CAFé')).rejects.toMatchObject(taken);
    expect((await list()).categories.map(({ name }) => name)).toEqual(['Tea', 'Café']);
    await create('Café', aBusiness(call.call.metadata.organizationId));
  });

  test('exists once after twenty concurrent creates with this name', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => create('Bread')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await list()).categories).toHaveLength(1);
  });

  test('can change its case, and can be used again after the category was deleted', async () => {
    const { id } = await create('bread');
    expect(await rename(id, 'Bread')).toMatchObject({ name: 'Bread', revision: 2 });
    await remove(id);
    expect(await create('BREAD')).toMatchObject({ name: 'BREAD' });
  });
});

test('a change requires a name and the expected revision, and happens once', async () => {
  const { id } = await create('Bread');
  await expect(rename(id, undefined)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(rename(id, 'Cakes', { expectedRevisions: [2] })).rejects.toMatchObject({ code: 'precondition_failed' });
  const more = { operationId: newId(), expectedRevisions: [1] };
  const first = await rename(id, 'Cakes', more);
  expect(first).toMatchObject({ name: 'Cakes', revision: 2 });
  expect(await rename(id, 'Cakes', more)).toEqual(first);
  await expect(remove(id, { expectedRevisions: [1] })).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(await read(id)).toEqual(first);
});

test('a category is not visible to other businesses, in any organization', async () => {
  const category = await create('Bread');
  for (const other of [aBusiness(call.call.metadata.organizationId), aBusiness()]) {
    await expect(read(category.id, other)).rejects.toMatchObject(notFound);
    await expect(rename(category.id, 'Mine', {}, other)).rejects.toMatchObject(notFound);
    await expect(remove(category.id, {}, other)).rejects.toMatchObject(notFound);
  }
  for (const id of [newId(), 'nonsense', '']) await expect(read(id)).rejects.toMatchObject(notFound);
  expect(await read(category.id)).toEqual(category);
});

describe('deleting', () => {
  test('clears the category from its topics, and from no others', async () => {
    const [deleted, kept] = [await create('Deleted'), await create('Kept')];
    const [one, two, other] = [await aTopic(deleted.id), await aTopic(deleted.id), await aTopic(kept.id)];
    await remove(deleted.id);
    for (const topic of [one, two]) {
      const now = await topicOf(topic.id);
      expect(now).toEqual({ ...topic, categoryId: undefined, revision: 2, updatedAt: now?.updatedAt });
    }
    expect(await topicOf(other.id)).toEqual(other);
    await expect(read(deleted.id)).rejects.toMatchObject(notFound);
    expect((await list()).categories).toEqual([kept]);
  });

  test('returns the same when it is repeated; another deletion is not found', async () => {
    const { id } = await create('Bread');
    const more = { operationId: newId(), expectedRevisions: [1] };
    for (let turn = 0; turn < 3; turn++) expect(await remove(id, more)).toEqual({});
    await expect(remove(id)).rejects.toMatchObject(notFound);
  });

  test('clears more topics than fit into one batch', async () => {
    const { id } = await create('Full');
    const topics = content.db.collection<TopicDocument>('topics');
    const { _id: _, ...template } = (await topics.findOne({ _id: (await aTopic(id)).id }))!;
    await topics.insertMany(Array.from({ length: 2_500 }, () => ({ ...template, _id: newId() })));
    await remove(id);
    expect(await topics.countDocuments({ business_id: template.business_id, category_id: null, revision: 2 })).toBe(2_501);
  });

  test('is finished by a repeat or by the next start if it was interrupted', async () => {
    const categories = content.db.collection<CategoryDocument>('categories');
    for (const goOn of ['repeat', 'start'] as const) {
      const { id } = await create(`Cut short: ${goOn}`);
      const topic = await aTopic(id);
      const operationId = newId();
      // The state after a crash: deleted, but not cleared from its topics.
      await categories.updateOne(
        { _id: id },
        { $set: { deleted: true, topics_cleared: false, revision: 2, operation_ids: [operationId] } },
      );
      const sweep = goOn === 'start' ? startCategorySweep(content.context) : undefined;
      if (goOn === 'repeat') await remove(id, { operationId });
      await eventually(async () => (await topicOf(topic.id))?.categoryId === undefined);
      await eventually(async () => (await categories.findOne({ _id: id }))?.topics_cleared === true);
      await sweep?.stop();
    }
  });

  test('continues with others if the topics of one category cannot be cleared', async () => {
    const categories = content.db.collection<CategoryDocument>('categories');
    const [poisoned, other] = [await create('Poisoned'), await create('Other')];
    const topic = await aTopic(other.id);
    await categories.updateOne({ _id: poisoned.id }, { $set: { deleted: true, topics_cleared: false, operation_ids: 1 as never } });
    await categories.updateOne({ _id: other.id }, { $set: { deleted: true, topics_cleared: false } });
    const { log, lines } = recordLog();
    const sweep = startCategorySweep({ ...content.context, log });
    await eventually(async () => (await categories.findOne({ _id: other.id }))?.topics_cleared === true);
    await sweep.stop();
    expect((await topicOf(topic.id))?.categoryId).toBeUndefined();
    expect(lines).toMatchObject([{ level: 'error', category_id: poisoned.id }]);
    await categories.deleteOne({ _id: poisoned.id });
  });

  test('leaves no topic with the category if topics are assigned to it at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await create(`Round ${round}`);
      const loose = await Promise.all(Array.from({ length: 8 }, () => aTopic()));
      const puts = loose.flatMap((topic) => [assign(topic.id, id), aTopic(id)]);
      const [removed, ...outcomes] = await Promise.allSettled([remove(id), ...puts]);
      expect(removed.status).toBe('fulfilled');
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'invalid_value', param: 'category_id' });
      }
      const { topics } = await content.client.listTopics({ pageSize: 100, pageToken: '' }, call);
      expect(topics.filter(({ categoryId }) => categoryId !== undefined)).toEqual([]);
    }
  });
});
