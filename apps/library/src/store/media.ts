import type { Media, MediaFacts } from '@fanfare/contracts/library';
import type { ClientSession, Db } from 'mongodb';
import type { MediaUrls } from '../domain/media-urls.ts';
import type { Scope } from '../domain/scope.ts';
import type { Facts } from '../probing/facts.ts';

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
