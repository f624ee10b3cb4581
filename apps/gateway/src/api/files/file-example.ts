import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { exampleMedia } from '../media/media-example.ts';
import type { file } from './file.ts';

const { id, business_id, created_at, alt_text, original_url, type, width, height, source, url } = exampleMedia;

/** For the OpenAPI description. */
export const exampleFile: z.input<typeof file> = {
  id: EXAMPLE_IDS.file_id,
  business_id: EXAMPLE_IDS.business_id,
  name: 'tone-of-voice.md',
  path: '/Brand/tone-of-voice.md',
  created_at: '2026-08-06T10:00:00.000Z',
  body_text: `# Tone of voice\n\nWarm, short, no exclamation marks.\n\n![Rye bread](${url})\n`,
  parent_id: EXAMPLE_IDS.folder_id,
  media: [{ id, business_id, created_at, alt_text, original_url, type, width: width ?? 0, height: height ?? 0, source }],
  updated_at: '2026-08-06T10:00:00.000Z',
};
