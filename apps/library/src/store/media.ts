import type { Media } from '@fanfare/contracts/library';
import type { ClientSession, Db } from 'mongodb';
import type { Scope } from '../domain/scope.ts';

export interface MediaDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  created_at: Date;
  type: 'image' | 'video';
  mime_type: string;
  size_bytes: number;
  width: number;
  height: number;
  duration_ms?: number;
  sha256: string;
  source: string;
  alt_text: string;
  /** The bytes; written before this document and never changed. */
  blob_id: string;
}

const media = (db: Db) => db.collection<MediaDocument>('media');

export async function createMediaIndexes(db: Db): Promise<void> {
  await media(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
}

export async function insertMedia(db: Db, document: MediaDocument, session: ClientSession): Promise<void> {
  await media(db).insertOne(document, { session });
}

/** Media of one business, in the order asked for; ids that name nothing in it are left out. */
export async function findMedia(db: Db, scope: Scope, ids: readonly string[]): Promise<MediaDocument[]> {
  const rows = await media(db)
    .find({ _id: { $in: [...ids] }, organization_id: scope.organizationId, business_id: scope.businessId })
    .toArray();
  const byId = new Map(rows.map((row) => [row._id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Whoever's it is: for URLs whose signature has been checked. */
export async function findSignedMedia(db: Db, id: string): Promise<MediaDocument | null> {
  return media(db).findOne({ _id: id });
}

/** @param url the stable public one */
export function toMedia(document: MediaDocument, url: string): Media {
  return {
    id: document._id,
    businessId: document.business_id,
    createdAt: document.created_at,
    type: document.type === 'video' ? 'MEDIA_TYPE_VIDEO' : 'MEDIA_TYPE_IMAGE',
    mimeType: document.mime_type,
    sizeBytes: document.size_bytes,
    width: document.width,
    height: document.height,
    durationMs: document.duration_ms,
    sha256: document.sha256,
    url,
    source: document.source,
    altText: document.alt_text,
  };
}
