import type { Media } from '@fanfare/contracts/library';
import { z } from 'zod';
import { isoTime, timestamp } from './timestamp.ts';

/** A stored picture or video. */
export const media = z
  .object({
    id: z.string(),
    business_id: z.uuid(),
    created_at: timestamp(),
    type: z.string().meta({ description: 'image or video, told by the bytes.' }),
    mime_type: z.string().meta({ example: 'image/jpeg' }),
    size_bytes: z.int(),
    width: z.int(),
    height: z.int(),
    duration_ms: z.int().nullable(),
    url: z.string().meta({ description: 'Stable; needs no credential.' }),
    alt_text: z.string(),
    source: z.string().meta({ description: 'upload, or the URL that it was fetched from.' }),
  })
  .meta({ id: 'Media' });

export function mediaFromProto(given: Media): z.input<typeof media> {
  return {
    id: given.id,
    business_id: given.businessId,
    created_at: isoTime(given.createdAt),
    type: given.type.replace('MEDIA_TYPE_', '').toLowerCase(),
    mime_type: given.mimeType,
    size_bytes: given.sizeBytes,
    width: given.width,
    height: given.height,
    duration_ms: given.durationMs ?? null,
    url: given.url,
    alt_text: given.altText,
    source: given.source,
  };
}
