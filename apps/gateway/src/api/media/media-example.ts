import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { media } from './media.ts';

const { business_id, folder_id, media_id } = EXAMPLE_IDS;
const MEDIA = 'https://api.example.com/media';

/** For the OpenAPI description. */
export const exampleMedia: z.input<typeof media> = {
  id: media_id,
  business_id,
  created_at: '2026-08-06T09:30:00.000Z',
  updated_at: '2026-08-06T09:30:00.000Z',
  status: 'ready',
  error: null,
  type: 'image',
  mime_type: 'image/jpeg',
  size_bytes: 482_139,
  width: 2400,
  height: 1600,
  duration_ms: null,
  url: `${MEDIA}/${media_id}/m1.mK2nJq0vXo3cV7yTgVb6cQ`,
  original_url: null,
  source: 'upload',
  file_name: 'loaf.jpg',
  folder_id,
  alt_text: 'A loaf of rye bread on a wooden board',
  description: '',
  transcript: '',
  thumbnail_url: `${MEDIA}/0197f3a5-4d5e-7f60-8b7c-8d9e0f1a2b56/m1.Zc1xv0kq9Hn5uYpTgLb2dA`,
  cover_url: null,
  placeholder: 'data:image/png;base64,iVBORw0KGgo=',
  details: {
    has_alpha: false,
    frames: 1,
    colour_space: 'srgb',
    orientation: 1,
    rotation: null,
    video_codec: null,
    audio_codec: null,
    frame_rate: null,
    bit_rate: null,
    has_location: true,
  },
};

export const exampleFailedMedia: z.input<typeof media> = {
  ...exampleMedia,
  status: 'failed',
  error: { code: 'invalid_value', detail: 'The file is not an image, a video or audio.' },
  type: '',
  mime_type: null,
  width: null,
  height: null,
  url: null,
  thumbnail_url: null,
  placeholder: null,
  details: null,
};

const MEDIA_URL = 'https://images.example.com/oven.mp4';

export const exampleImport = { business_id, url: MEDIA_URL, alt_text: 'The oven, a minute before the bread comes out', folder_id };

/** A media file that is still being imported. */
export const exampleProcessingMedia: z.input<typeof media> = {
  ...exampleMedia,
  ...{ status: 'processing', type: '', mime_type: null, width: null, height: null, url: null },
  ...{ file_name: null, thumbnail_url: null, placeholder: null, details: null, size_bytes: null },
  ...{ original_url: MEDIA_URL, source: MEDIA_URL, alt_text: exampleImport.alt_text },
};
