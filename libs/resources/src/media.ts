import type { Media, MediaFacts } from '@fanfare/contracts/library';
import { isoTime } from './required.ts';

export function mediaFromProto(given: Media) {
  const isKnown = given.type !== 'MEDIA_TYPE_UNSPECIFIED';
  return {
    id: given.id,
    business_id: given.businessId,
    created_at: isoTime(given.createdAt),
    updated_at: isoTime(given.updatedAt ?? given.createdAt),
    status: STATUSES[given.status],
    error: given.failure ?? null,
    type: isKnown ? given.type.replace('MEDIA_TYPE_', '').toLowerCase() : '',
    mime_type: nullIfEmpty(given.mimeType),
    size_bytes: isKnown || given.sizeBytes > 0 ? given.sizeBytes : null,
    width: given.width || null,
    height: given.height || null,
    duration_ms: given.durationMs ?? null,
    url: nullIfEmpty(given.url),
    original_url: nullIfEmpty(given.originalUrl),
    source: given.source,
    file_name: nullIfEmpty(given.fileName),
    folder_id: given.folderId ?? null,
    alt_text: given.altText,
    description: given.description,
    transcript: given.transcript,
    thumbnail_url: nullIfEmpty(given.thumbnailUrl),
    cover_url: nullIfEmpty(given.coverUrl),
    placeholder: nullIfEmpty(given.placeholder),
    details: given.facts ? detailsFromProto(given.facts) : null,
  };
}

/** A library of the previous version has only ready media and does not send a status. */
const STATUSES = {
  MEDIA_STATUS_UNSPECIFIED: 'ready',
  MEDIA_STATUS_READY: 'ready',
  MEDIA_STATUS_PROCESSING: 'processing',
  MEDIA_STATUS_FAILED: 'failed',
} as const;

function detailsFromProto(facts: MediaFacts) {
  return {
    has_alpha: facts.hasAlpha ?? null,
    frames: facts.frames ?? null,
    colour_space: facts.colourSpace ?? null,
    orientation: facts.orientation ?? null,
    rotation: facts.rotation ?? null,
    video_codec: facts.videoCodec ?? null,
    audio_codec: facts.audioCodec ?? null,
    frame_rate: facts.frameRate ?? null,
    bit_rate: facts.bitRate ?? null,
    has_location: facts.hasLocation ?? null,
  };
}

const nullIfEmpty = (value: string) => (value === '' ? null : value);
