import type { Media, MediaFacts } from '@fanfare/contracts/library';
import { notFound } from '@fanfare/errors';
import { after, editOnce, jsonBytes, pageWithin, parsePageToken, type Edit, type Editable, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { MediaUrls } from '../domain/media-urls.ts';
import type { Scope } from '../../scope.ts';
import type { StorageLimits } from '../../storage/domain/storage-limits.ts';
import type { Facts } from '../domain/facts.ts';
import type { MediaField } from '../../derivatives/store/derivatives.ts';
import { charge } from '../../storage/store/storage-usage.ts';

export interface MediaDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  created_at: Date;
  /** Like all optional fields, absent in documents that were stored before the field existed. */
  updated_at?: Date;
  revision?: number;
  operation_ids?: string[];
  /** A deletion mark, which clients cannot see. The clean-up deletes it when the deletion can no longer be repeated. */
  deleted?: true;
  type: 'image' | 'video' | 'audio';
  mime_type: string;
  size_bytes: number;
  width: number;
  height: number;
  duration_ms?: number;
  sha256: string;
  source: string;
  original_url?: string;
  file_name?: string;
  folder_id?: string | null;
  alt_text: string;
  description?: string;
  transcript?: string;
  facts?: Facts;
  placeholder?: string;
  /** Derivatives, served like media under their own ids: a small JPEG, the first frame of a video, a copy without location data. */
  thumbnail_id?: string;
  cover_id?: string;
  without_location_id?: string;
  /** The bytes. Stored before this document, never changed. */
  blob_id: string;
  /** Whether it is counted in the organization's storage. Media of earlier versions without quotas are not, and are not subtracted on deletion. */
  charged?: true;
  /** Only changed to write to the document: see `touchMedia`. */
  times_reserved?: number;
}

/** The fields that clients can change. */
export type MediaTexts = Pick<MediaDocument, 'alt_text' | 'description' | 'transcript' | 'folder_id'>;

const media = (db: Db) => db.collection<MediaDocument>('media');

/** A filter by equality, so that the index skips deletion marks, which have `deleted: true`. Other documents do not have the field. */
const LIVE = { deleted: null } as unknown as { deleted: never };

export async function createMediaIndexes(db: Db): Promise<void> {
  await media(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
}

/** For lists of a folder. */
export async function createMediaListIndexes(db: Db): Promise<void> {
  await media(db).createIndex({ business_id: 1, folder_id: 1, deleted: 1, created_at: -1, _id: -1 });
}

/**
 * Inserts a media and counts it in the organization's storage, in the same transaction.
 * @throws DomainError rate_limit_exceeded if the storage is full
 */
export async function insertMedia(
  db: Db,
  document: Omit<MediaDocument, 'charged'>,
  session: ClientSession,
  limits: StorageLimits | undefined,
): Promise<void> {
  await media(db).insertOne({ ...document, charged: true }, { session });
  await charge(db, session, document.organization_id, { bytes: document.size_bytes, files: 1 }, limits);
}

/** Media of a business, in the order of `ids`, without unknown and deleted ones. */
export async function findMedia(db: Db, scope: Scope, ids: readonly string[]): Promise<MediaDocument[]> {
  const rows = await media(db)
    .find({ _id: { $in: [...ids] }, ...filterOf(scope), ...LIVE })
    .toArray();
  const byId = new Map(rows.map((row) => [row._id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Finds a media, even if it is deleted: for repeated operations. */
export async function findCreatedMedia(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<MediaDocument | null> {
  return media(db).findOne({ _id: id, ...filterOf(scope) }, session ? { session } : {});
}

/** Not scoped by an owner: only for URLs whose signature was verified. */
export async function findSignedMedia(db: Db, id: string): Promise<MediaDocument | null> {
  return media(db).findOne({ _id: id, ...LIVE });
}

/** Lists the media of a folder (null: the root) or of all folders, newest first. A page ends before it exceeds 2 MiB, because transcripts are long. */
export async function listMedia(
  db: Db,
  scope: Scope,
  { folderId, pageSize, pageToken }: { folderId: string | null | undefined; pageSize: number; pageToken: string },
): Promise<Page<MediaDocument>> {
  const binding = ['media', scope.businessId, folderId === undefined ? 'all' : folderId];
  const find = media(db)
    .find({
      ...filterOf(scope),
      ...(folderId !== undefined && { folder_id: folderId }),
      ...LIVE,
      ...after(parsePageToken(pageToken, binding)),
    })
    .sort({ created_at: -1, _id: -1 });
  return pageWithin(find, pageSize, binding, sizeOf);
}

/** An upper bound of the bytes as JSON. The constant covers all other fields: URLs and a placeholder of some hundred characters each. */
const sizeOf = ({ alt_text, description, transcript, source, original_url }: MediaDocument) =>
  6_000 + [alt_text, description, transcript, source, original_url].reduce((bytes, text) => bytes + jsonBytes(text ?? ''), 0);

/**
 * Changes the texts or the folder of a media, or marks it as deleted.
 * @throws DomainError resource_not_found, precondition_failed
 */
export async function editMedia(
  db: Db,
  scope: Scope,
  id: string,
  changes: Partial<MediaTexts> & { deleted?: true },
  edit: Edit,
  session: ClientSession,
): Promise<MediaDocument> {
  const where = { _id: id, organization_id: scope.organizationId, business_id: scope.businessId };
  const edited = await editOnce(db.collection<MediaDocument & Editable>('media'), where, changes, edit, session);
  if (!edited) throw notFound('media');
  return edited;
}

/**
 * Writes to media, so that a concurrent transaction that deletes one of them conflicts with this one.
 * @returns the ids of the media that exist
 */
export async function touchMedia(db: Db, scope: Scope, ids: readonly string[], session: ClientSession): Promise<string[]> {
  const where = { _id: { $in: [...ids] }, ...filterOf(scope), ...LIVE };
  // A counter, because writing the same value would not be a write.
  await media(db).updateMany(where, { $inc: { times_reserved: 1 } }, { session });
  const rows = await media(db)
    .find(where, { session, projection: { _id: 1 } })
    .toArray();
  return rows.map(({ _id }) => _id);
}

/**
 * Stores the id of a ready derivative in the media. Does not change the media's revision.
 * @returns false if the media was deleted
 */
export async function nameDerivative(
  db: Db,
  id: string,
  field: MediaField,
  derivativeId: string,
  placeholder: string | undefined,
  session: ClientSession,
): Promise<boolean> {
  const { matchedCount } = await media(db).updateOne({ _id: id, ...LIVE }, { $set: { [field]: derivativeId } }, { session });
  if (placeholder !== undefined)
    await media(db).updateOne({ _id: id, placeholder: { $exists: false }, ...LIVE }, { $set: { placeholder } }, { session });
  return matchedCount === 1;
}

/**
 * Stores the automatic transcript of a media, with a new revision, unless it got a transcript in the meantime.
 * @returns the media after the change; null if it was not changed
 */
export async function giveTranscript(db: Db, id: string, transcript: string, session: ClientSession): Promise<MediaDocument | null> {
  const change = { $set: { transcript }, $inc: { revision: 1 }, $currentDate: { updated_at: true } } as const;
  const where = { _id: id, transcript: { $in: [null, ''] as unknown as string[] }, ...LIVE };
  return media(db).findOneAndUpdate(where, change, { session, returnDocument: 'after' });
}

const filterOf = ({ organizationId, businessId }: Scope) => ({ organization_id: organizationId, business_id: businessId });

const TYPES = { image: 'MEDIA_TYPE_IMAGE', video: 'MEDIA_TYPE_VIDEO', audio: 'MEDIA_TYPE_AUDIO' } as const;

export function toMedia(document: MediaDocument, urls: Pick<MediaUrls, 'stable'>): Media {
  const { _id: id, facts } = document;
  return {
    id,
    businessId: document.business_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at ?? document.created_at,
    revision: document.revision ?? 1,
    status: 'MEDIA_STATUS_READY',
    failure: undefined,
    type: TYPES[document.type],
    mimeType: document.mime_type,
    sizeBytes: document.size_bytes,
    width: document.width,
    height: document.height,
    durationMs: document.duration_ms,
    sha256: document.sha256,
    url: urls.stable(id),
    source: document.source,
    originalUrl: document.original_url ?? '',
    fileName: document.file_name ?? '',
    folderId: document.folder_id ?? undefined,
    altText: document.alt_text,
    description: document.description ?? '',
    transcript: document.transcript ?? '',
    thumbnailUrl: document.thumbnail_id === undefined ? '' : urls.stable(document.thumbnail_id),
    coverUrl: document.cover_id === undefined ? '' : urls.stable(document.cover_id),
    placeholder: document.placeholder ?? '',
    facts: facts && toFacts(facts),
  };
}

function toFacts(facts: Facts): MediaFacts {
  return {
    hasAlpha: facts.has_alpha,
    frames: facts.frames,
    colourSpace: facts.colour_space,
    orientation: facts.orientation,
    rotation: facts.rotation,
    videoCodec: facts.video_codec,
    audioCodec: facts.audio_codec,
    frameRate: facts.frame_rate,
    bitRate: facts.bit_rate,
    hasLocation: facts.has_location,
  };
}
