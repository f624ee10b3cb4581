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
  /** Absent, as all optional fields are, on what was stored before there was such a field. */
  updated_at?: Date;
  revision?: number;
  operation_ids?: string[];
  /** Nobody is shown it any more; the sweep takes it away when no repeat can ask for it. */
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
  /** Derivatives, served like media under ids of their own: a small JPEG, the first picture of a video, the same bytes without their location. */
  thumbnail_id?: string;
  cover_id?: string;
  without_location_id?: string;
  /** The bytes; written before this document and never changed. */
  blob_id: string;
  /** Counted in the organization's storage. What a version without quotas stores beside us is not, and gives nothing back. */
  charged?: true;
  /** Says nothing but that it was written to: see `touchMedia`. */
  times_reserved?: number;
}

/** What callers may say of a media. */
export type MediaTexts = Pick<MediaDocument, 'alt_text' | 'description' | 'transcript' | 'folder_id'>;

const media = (db: Db) => db.collection<MediaDocument>('media');

/** A mark of a deleted media has `deleted: true`, all others nothing: the equality lets the index pass over marks, however many. */
const LIVE = { deleted: null } as unknown as { deleted: never };

export async function createMediaIndexes(db: Db): Promise<void> {
  await media(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
}

/** Lists of a folder, in their order. */
export async function createMediaListIndexes(db: Db): Promise<void> {
  await media(db).createIndex({ business_id: 1, folder_id: 1, deleted: 1, created_at: -1, _id: -1 });
}

/**
 * Inserts a media and counts it in the organization's storage: one never happens without the other.
 * @throws DomainError rate_limit_exceeded when that is full
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

/** Media of one business, in the order asked for; ids that name nothing in it, or what is deleted, are left out. */
export async function findMedia(db: Db, scope: Scope, ids: readonly string[]): Promise<MediaDocument[]> {
  const rows = await media(db)
    .find({ _id: { $in: [...ids] }, ...filterOf(scope), ...LIVE })
    .toArray();
  const byId = new Map(rows.map((row) => [row._id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Deleted or not: for repeats of the operation that made or deleted it. */
export async function findCreatedMedia(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<MediaDocument | null> {
  return media(db).findOne({ _id: id, ...filterOf(scope) }, session ? { session } : {});
}

/** Whoever's it is: for URLs whose signature has been checked. */
export async function findSignedMedia(db: Db, id: string): Promise<MediaDocument | null> {
  return media(db).findOne({ _id: id, ...LIVE });
}

/** A page of a folder, null being the root, or of all of them, newest first. It ends early rather than grow past 2 MiB: transcripts are long. */
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

/** At most, as JSON. The rest has bounds: URLs and a placeholder of some hundred characters each. */
const sizeOf = ({ alt_text, description, transcript, source, original_url }: MediaDocument) =>
  6_000 + [alt_text, description, transcript, source, original_url].reduce((bytes, text) => bytes + jsonBytes(text ?? ''), 0);

/**
 * Changes what is said of a media, or marks it deleted.
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
 * Writes to media, so that a transaction which deletes one of them at the same time conflicts with this one.
 * @returns the ids of those that are there, no others are written to
 */
export async function touchMedia(db: Db, scope: Scope, ids: readonly string[], session: ClientSession): Promise<string[]> {
  const where = { _id: { $in: [...ids] }, ...filterOf(scope), ...LIVE };
  // Counted, as to write what is there already is to write nothing.
  await media(db).updateMany(where, { $inc: { times_reserved: 1 } }, { session });
  const rows = await media(db)
    .find(where, { session, projection: { _id: 1 } })
    .toArray();
  return rows.map(({ _id }) => _id);
}

/**
 * Names a derivative of a media that is ready. What callers said of the media stays as it is, and so does its revision.
 * @returns false when the media is gone
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
 * Gives a media the words that were heard in it, unless somebody gave some meanwhile; a change as any other.
 * @returns the media after it; null when there was nothing to do
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
