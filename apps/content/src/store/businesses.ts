import type { Business } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { after, isDuplicateKey, pageOf, parsePageToken } from '@fanfare/mongo';
import type { Db } from 'mongodb';

export interface BusinessDocument {
  _id: string;
  organization_id: string;
  created_at: Date;
  updated_at: Date;
  name: string;
  description: string;
  industry: string;
  website: string;
  language: string;
}

const businesses = (db: Db) => db.collection<BusinessDocument>('businesses');

export async function createBusinessIndexes(db: Db): Promise<void> {
  await businesses(db).createIndex({ organization_id: 1, created_at: -1, _id: -1 });
}

/** Answers with the document that is stored now, whether this call or an earlier one with the same id stored it. */
export async function insertBusiness(db: Db, document: BusinessDocument): Promise<BusinessDocument> {
  try {
    await businesses(db).insertOne(document);
    return document;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const before = await businesses(db).findOne({ _id: document._id, organization_id: document.organization_id });
    if (!before) throw error;
    return before;
  }
}

export async function findBusiness(db: Db, id: string): Promise<BusinessDocument | null> {
  return businesses(db).findOne({ _id: id });
}

export async function listBusinesses(
  db: Db,
  query: { organizationId: string; name: string; pageSize: number; pageToken: string },
): Promise<{ rows: readonly BusinessDocument[]; nextPageToken: string }> {
  const { organizationId, name, pageSize, pageToken } = query;
  if (name.includes('\0')) throw new DomainError('invalid_value', 'A name holds no NUL character.', { param: 'name' });
  const binding = ['businesses', organizationId, name];
  const rows = await businesses(db)
    .find({
      organization_id: organizationId,
      ...(name === '' ? {} : { name: { $regex: escapeRegExp(name), $options: 'i' } }),
      ...after(parsePageToken(pageToken, binding)),
    })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

export function toBusiness(document: BusinessDocument): Business {
  return {
    id: document._id,
    organizationId: document.organization_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    name: document.name,
    description: document.description,
    industry: document.industry,
    website: document.website,
    language: document.language,
  };
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
