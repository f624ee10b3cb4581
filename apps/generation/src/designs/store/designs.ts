import { notFound } from '@fanfare/errors';
import { after, editOnce, jsonBytes, pageWithin, parsePageToken, type Edit, type Editable, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import { filterOf, type Scope } from '../../scope.ts';
import type { DesignDocument } from '../design.ts';

const designs = (db: Db) => db.collection<DesignDocument>('designs');

export async function createDesignIndexes(db: Db): Promise<void> {
  await designs(db).createIndex({ business_id: 1, deleted: 1, created_at: -1, _id: -1 });
  await designs(db).createIndex({ 'media.id': 1 });
}

/** Whether a design uses this media file. */
export async function isShown(db: Db, scope: Scope, mediaId: string): Promise<boolean> {
  return (await designs(db).countDocuments({ 'media.id': mediaId, ...filterOf(scope), deleted: false }, { limit: 1 })) > 0;
}

/** Fails with a duplicate key if a design with one of these ids exists. */
export async function insertDesigns(db: Db, all: readonly DesignDocument[], session: ClientSession): Promise<void> {
  await designs(db).insertMany([...all], { session });
}

/** Which of these designs exist. */
export async function existingDesigns(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const found = await designs(db)
    .find({ _id: { $in: [...ids] }, ...filterOf(scope) }, { projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** Also finds deleted ones, for repeated requests. */
export async function findCreatedDesign(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<DesignDocument | null> {
  return designs(db).findOne({ _id: id, ...filterOf(scope) }, session ? { session } : {});
}

/** @throws DomainError resource_not_found */
export async function getDesign(db: Db, scope: Scope, id: string): Promise<DesignDocument> {
  const design = await findCreatedDesign(db, scope, id);
  if (!design || design.deleted) throw notFound('design');
  return design;
}

/** @throws DomainError resource_not_found, precondition_failed */
export async function editDesign(
  db: Db,
  scope: Scope,
  id: string,
  changes: Partial<Omit<DesignDocument, keyof Editable>> & { deleted?: true },
  edit: Edit,
  session: ClientSession,
): Promise<DesignDocument> {
  const edited = await editOnce(designs(db), { _id: id, ...filterOf(scope) }, changes, edit, session);
  if (!edited) throw notFound('design');
  return edited;
}

export async function listDesigns(db: Db, scope: Scope, pageSize: number, pageToken: string): Promise<Page<DesignDocument>> {
  const binding = ['designs', scope.businessId];
  const find = designs(db)
    .find({ ...filterOf(scope), deleted: false, ...after(parsePageToken(pageToken, binding)) }, { projection: { template: 0 } })
    .sort({ created_at: -1, _id: -1 });
  return pageWithin(find, pageSize, binding, ({ pages }) => 4_000 + jsonBytes(JSON.stringify(pages)));
}

/** Deletes designs of posts that were not created. No caller has seen them. */
export async function deleteUnusedDesigns(db: Db, scope: Scope, ids: readonly string[], session: ClientSession): Promise<void> {
  if (ids.length > 0) await designs(db).deleteMany({ _id: { $in: [...ids] }, ...filterOf(scope) }, { session });
}
