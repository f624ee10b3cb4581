import type { Topic } from '@fanfare/contracts/content/topics';
import { DomainError, notFound } from '@fanfare/errors';
import { after, editOnce, jsonBytes, pageWithin, parsePageToken, stages, type Edit, type Editable, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { TopicFields } from '../topic-fields.ts';

export interface TopicDocument extends Editable, TopicFields {
  organization_id: string;
  business_id: string;
  created_at: Date;
  revision: number;
  deleted: boolean;
}

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

const topics = (db: Db) => db.collection<TopicDocument>('topics');

export async function createTopicIndexes(db: Db): Promise<void> {
  await topics(db).createIndex({ business_id: 1, deleted: 1, created_at: -1, _id: -1 });
  await topics(db).createIndex({ business_id: 1, category_id: 1 });
}

/** Fails with a duplicate key if a topic with this id exists already. */
export async function insertTopic(db: Db, document: TopicDocument, session?: ClientSession): Promise<void> {
  await topics(db).insertOne(document, session ? { session } : {});
}

/** Deleted or not: a repeated create looks for the topic of the first one. */
export async function findCreatedTopic(db: Db, scope: Scope, id: string): Promise<TopicDocument | null> {
  return topics(db).findOne({ _id: id, ...filterOf(scope) });
}

/** @throws DomainError resource_not_found; permission_denied if it belongs to another organization */
export async function getTopic(db: Db, scope: Scope, id: string): Promise<TopicDocument> {
  const topic = await topics(db).findOne({ _id: id });
  if (topic && topic.organization_id !== scope.organizationId) {
    throw new DomainError('permission_denied', 'This topic belongs to another organization.', { param: 'topic_id' });
  }
  if (topic?.business_id !== scope.businessId || topic.deleted) throw notFound('topic');
  return topic;
}

/** @throws DomainError resource_not_found, permission_denied, precondition_failed */
export async function editTopic(
  db: Db,
  scope: Scope,
  id: string,
  changes: Partial<TopicFields> & { deleted?: true },
  edit: Edit,
  session?: ClientSession,
): Promise<TopicDocument> {
  return (await editOnce(topics(db), { _id: id, ...filterOf(scope) }, changes, edit, session)) ?? getTopic(db, scope, id);
}

/**
 * Clears a deleted category from some of its topics.
 * @returns how many topics it cleared; less than `batch` if none are left
 */
export async function clearCategoryOfTopics(
  db: Db,
  category: { _id: string; organization_id: string; business_id: string; updated_at: Date; operation_ids?: string[] },
  batch: number,
): Promise<number> {
  const { _id: category_id, organization_id, business_id, updated_at: at, operation_ids = [] } = category;
  const inIt = { business_id, organization_id, category_id };
  // Read concern local, to see what was committed just before the category was deleted.
  const found = await topics(db)
    .find(inIt, { projection: { _id: 1 }, readConcern: { level: 'local' } })
    .limit(batch)
    .toArray();
  const change = { $set: stages({ category_id: null }, { operationId: operation_ids.at(-1) ?? category_id, at }) };
  if (found.length > 0) await topics(db).updateMany({ ...inIt, _id: { $in: found.map(({ _id }) => _id) } }, [change]);
  return found.length;
}

export async function listTopics(db: Db, scope: Scope, pageSize: number, pageToken: string): Promise<Page<TopicDocument>> {
  const binding = ['topics', scope.businessId];
  const find = topics(db)
    .find({ ...filterOf(scope), deleted: false, ...after(parsePageToken(pageToken, binding)) })
    .sort({ created_at: -1, _id: -1 });
  return pageWithin(find, pageSize, binding, ({ title, body }) => 512 + jsonBytes(title) + jsonBytes(body));
}

export function toTopic(document: TopicDocument): Topic {
  return {
    id: document._id,
    businessId: document.business_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision,
    title: document.title,
    body: document.body,
    enabled: document.enabled,
    categoryId: document.category_id ?? undefined,
  };
}

const filterOf = ({ organizationId, businessId }: Scope) => ({ business_id: businessId, organization_id: organizationId });
