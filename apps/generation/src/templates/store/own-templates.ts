import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { Db } from 'mongodb';
import { filterOf, type Scope } from '../../scope.ts';
import type { Template, TemplateFormat } from '../template.ts';

/** A custom template of a business. */
export interface OwnTemplateDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  created_at: Date;
  /** As validated, with defaults. */
  definition: Template;
  /** Part of the public URL of its previews. Anybody who knows it can view them. */
  preview_token: string;
  deleted: boolean;
  deleted_by?: string;
}

const templates = (db: Db) => db.collection<OwnTemplateDocument>('templates');

export async function createTemplateIndexes(db: Db): Promise<void> {
  await templates(db).createIndex({ business_id: 1, deleted: 1, created_at: -1, _id: -1 });
}

/** Fails with a duplicate key if a template with this id exists. */
export async function insertTemplate(db: Db, document: OwnTemplateDocument): Promise<void> {
  await templates(db).insertOne(document);
}

/** Also finds deleted ones, for repeated requests. */
export async function findCreatedTemplate(db: Db, scope: Scope, id: string): Promise<OwnTemplateDocument | null> {
  return templates(db).findOne({ _id: id, ...filterOf(scope) });
}

/** Of any business, by the token of its previews. */
export async function findTemplateByToken(db: Db, id: string, token: string): Promise<OwnTemplateDocument | null> {
  return templates(db).findOne({ _id: id, preview_token: token, deleted: false });
}

export async function countTemplates(db: Db, scope: Scope): Promise<number> {
  return templates(db).countDocuments({ ...filterOf(scope), deleted: false });
}

/** Templates by ids, or the newest ones. */
export async function findOwnTemplates(
  db: Db,
  scope: Scope,
  filter: { readonly ids?: readonly string[]; readonly format?: TemplateFormat },
  most: number,
): Promise<OwnTemplateDocument[]> {
  return templates(db)
    .find({ ...filterOf(scope), deleted: false, ...(filter.ids && { _id: { $in: [...filter.ids] } }), ...ofFormat(filter.format) })
    .sort({ created_at: -1, _id: -1 })
    .limit(most)
    .toArray();
}

export async function listOwnTemplates(
  db: Db,
  scope: Scope,
  { format, pageSize, pageToken }: { format: TemplateFormat | undefined; pageSize: number; pageToken: string },
): Promise<Page<OwnTemplateDocument>> {
  const binding = ['templates', scope.businessId, format ?? ''];
  const rows = await templates(db)
    .find({ ...filterOf(scope), deleted: false, ...ofFormat(format), ...after(parsePageToken(pageToken, binding)) })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

const ofFormat = (format: TemplateFormat | undefined) => (format === undefined ? {} : { 'definition.format': format });

/** @returns whether the template existed, now or at an earlier request with the same operation id */
export async function deleteTemplate(db: Db, scope: Scope, id: string, operationId: string): Promise<boolean> {
  const where = { _id: id, ...filterOf(scope) };
  const { matchedCount } = await templates(db).updateOne(
    { ...where, deleted: false },
    { $set: { deleted: true, deleted_by: operationId } },
  );
  return matchedCount > 0 || (await templates(db).countDocuments({ ...where, deleted_by: operationId })) > 0;
}
