import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { template } from './template.ts';

const preview = (ratio: string) => `https://api.fanfare.example/templates/${EXAMPLE_IDS.template_id}/${ratio}.webp`;

/** For the OpenAPI description. */
export const exampleTemplate: z.input<typeof template> = {
  id: EXAMPLE_IDS.template_id,
  name: 'Quote card',
  format: 'design',
  theme_name: 'quote',
  is_own: false,
  slots: [
    { name: 'quote', kind: 'text' },
    { name: 'author', kind: 'text' },
    { name: 'logo', kind: 'logo' },
  ],
  aspect_ratios: ['1:1', '4:5', '9:16', '16:9'],
  previews: { '1:1': preview('1x1'), '4:5': preview('4x5'), '9:16': preview('9x16'), '16:9': preview('16x9') },
  definition: null,
  created_at: null,
};
