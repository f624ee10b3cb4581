import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Inspection } from '../media/inspect.ts';
import type { SpooledFile } from '../media/spool.ts';
import type { World } from './world.ts';

/** Pulled or uploaded media: its properties are kept for good, a small preview for the timeline as long as there is room. */
export interface Media {
  id: string;
  kind: 'image' | 'video';
  content_type: string;
  size: number;
  sha256: string;
  width: number;
  height: number;
  duration_ms: number | null;
  /** For a video; absent in worlds stored before this field existed. */
  frames_per_second?: number | null;
  /** The URL it was pulled from; null when it was uploaded. */
  source_url: string | null;
  alt_text: string | null;
  /** WebP, base64. */
  preview: string | null;
}

const previewsKept = 400;

/** The bytes of videos, as long as the spool has room for them; a restart loses them. */
const files = new WeakMap<Media, SpooledFile>();

/** The stored bytes of a video; null if they were deleted. */
export function videoFile(media: Media): string | null {
  const file = files.get(media);
  return file && existsSync(file.path) ? file.path : null;
}

export function keepMedia(
  world: World,
  bytes: Buffer | SpooledFile,
  inspection: Inspection,
  sourceUrl: string | null,
  altText: string | null = null,
): Media {
  const media: Media = {
    id: `m${world.nextNumber()}`,
    kind: inspection.kind,
    content_type: inspection.contentType,
    size: bytes.length,
    sha256: Buffer.isBuffer(bytes) ? createHash('sha256').update(bytes).digest('hex') : bytes.sha256,
    width: inspection.width,
    height: inspection.height,
    duration_ms: inspection.durationMs,
    frames_per_second: inspection.framesPerSecond,
    source_url: sourceUrl,
    alt_text: altText,
    preview: inspection.preview?.toString('base64') ?? null,
  };
  world.media.set(media.id, media);
  if (media.kind === 'video' && !Buffer.isBuffer(bytes)) files.set(media, bytes);
  if (world.media.size % 50 === 0) dropOldPreviews(world);
  world.touched();
  return media;
}

function dropOldPreviews(world: World): void {
  const withPreview = [...world.media.values()].filter((media) => media.preview !== null);
  for (const media of withPreview.slice(0, -previewsKept)) media.preview = null;
}
