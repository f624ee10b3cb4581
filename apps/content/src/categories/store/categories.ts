import type { Category } from '@fanfare/contracts/content/topics';
import { DomainError } from '@fanfare/errors';
import { after, editOnce, isDuplicateKey, pageOf, parsePageToken, type Edit, type Editable, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';

export interface CategoryDocument extends Editable {
  organization_id: string;
  business_id: string;
  created_at: Date;
  revision: number;
  name: string;
  /** Makes the name unique in its business. */
  name_key: string;
  deleted: boolean;
  /** Only in deleted categories: whether all of its topics have been cleared of it. */
  topics_cleared?: boolean;
}

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

const categories = (db: Db) => db.collection<CategoryDocument & { uses?: number }>('categories');

export async function createCategoryIndexes(db: Db): Promise<void> {
  await categories(db).createIndex({ business_id: 1, deleted: 1, created_at: -1, _id: -1 });
  await categories(db).createIndex({ business_id: 1, name_key: 1 }, { unique: true, partialFilterExpression: { deleted: false } });
  await categories(db).createIndex({ topics_cleared: 1 }, { partialFilterExpression: { topics_cleared: false } });
}

/**
 * Returns the stored document, whether this call or an earlier one with the same id stored it.
 * @throws DomainError invalid_value if another category has the name
 */
export async function insertCategory(db: Db, document: CategoryDocument): Promise<CategoryDocument> {
  try {
    await categories(db).insertOne(document);
    return document;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const scope = { organizationId: document.organization_id, businessId: document.business_id };
    const before = await categories(db).findOne({ _id: document._id, ...filterOf(scope) });
    if (!before) throw nameTaken(error);
    return before;
  }
}

export async function findCategory(db: Db, scope: Scope, id: string): Promise<CategoryDocument | null> {
  return categories(db).findOne({ _id: id, ...filterOf(scope), deleted: false });
}

/**
 * Checks that a category exists, and locks it until the transaction ends: a deletion conflicts with this write.
 * @throws DomainError invalid_value `category_id`
 */
export async function lockCategory(db: Db, scope: Scope, id: string, session: ClientSession): Promise<void> {
  const locked = await categories(db).updateOne({ _id: id, ...filterOf(scope), deleted: false }, { $inc: { uses: 1 } }, { session });
  if (locked.matchedCount === 0) {
    throw new DomainError('invalid_value', 'This business has no category with this id.', { param: 'category_id' });
  }
}

/** @throws DomainError precondition_failed; invalid_value if another category has the name */
export async function editCategory(
  db: Db,
  scope: Scope,
  id: string,
  changes: { name: string; name_key: string } | { deleted: true; topics_cleared: false },
  edit: Edit,
): Promise<CategoryDocument | null> {
  try {
    return await editOnce(categories(db), { _id: id, ...filterOf(scope) }, changes, edit);
  } catch (error) {
    throw isDuplicateKey(error, 'name_key') ? nameTaken(error) : error;
  }
}

/** Deleted categories that topics may still have. */
export async function findUnclearedCategories(db: Db): Promise<CategoryDocument[]> {
  return categories(db).find({ topics_cleared: false }).limit(100).toArray();
}

export async function markCleared(db: Db, id: string): Promise<void> {
  await categories(db).updateOne({ _id: id }, { $set: { topics_cleared: true } });
}

export async function listCategories(db: Db, scope: Scope, pageSize: number, pageToken: string): Promise<Page<CategoryDocument>> {
  const binding = ['categories', scope.businessId];
  const rows = await categories(db)
    .find({ ...filterOf(scope), deleted: false, ...after(parsePageToken(pageToken, binding)) })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

export function toCategory(document: CategoryDocument): Category {
  return {
    id: document._id,
    businessId: document.business_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision,
    name: document.name,
  };
}

const filterOf = ({ organizationId, businessId }: Scope) => ({ business_id: businessId, organization_id: organizationId });

const nameTaken = (cause: unknown) =>
  new DomainError('invalid_value', 'Another category of this business already has this name.', { param: 'name', cause });
