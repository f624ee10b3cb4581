import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { design } from './design.ts';

/** For the OpenAPI description. */
export const exampleDesign: z.input<typeof design> = {
  id: EXAMPLE_IDS.design_id,
  business_id: EXAMPLE_IDS.business_id,
  name: 'Patience',
  template_id: EXAMPLE_IDS.template_id,
  aspect_ratio: '4:5',
  pages: [{ texts: { quote: 'Bread is patience.', author: 'Our baker' }, image_media_id: null, alt_text: '' }],
  palette: ['#12355b', '#f2e9dc', '#e4572e'],
  fonts: ['Fraunces', 'Inter'],
  logo_media_id: null,
  media: [
    {
      media_id: EXAMPLE_IDS.media_id,
      url: `https://api.fanfare.example/media/${EXAMPLE_IDS.media_id}/5f0c1d/quote-card-1.png`,
    },
  ],
  created_at: '2026-08-06T09:30:00.000Z',
  updated_at: '2026-08-06T09:30:00.000Z',
};
