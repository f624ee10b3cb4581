import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { createTemplateBody, template } from './template.ts';

const preview = (ratio: string) => `https://api.fanfare.example/templates/${EXAMPLE_IDS.template_id}/${ratio}.webp`;

/** A template with every kind of layer. */
export const exampleDefinition: z.input<typeof createTemplateBody> = {
  name: 'House style',
  description: 'A photo above a headline, with a button.',
  format: 'design',
  tags: ['house', 'photo'],
  page: {
    background: { from: 'primary', to: '#12355b', angle: 90 },
    layers: [
      { kind: 'image', id: 'photo', outline: 'rect', radius: 3, shade: { paint: 'dark', opacity: 0.2 } },
      { kind: 'shape', id: 'corner', shape: 'dots', paint: 'accent', thickness: 0.8, opacity: 0.6 },
      {
        kind: 'text',
        id: 'words',
        valign: 'middle',
        items: [
          { slot: 'label', size: 2.8, weight: 600, uppercase: true, tracking: 8, colour: 'accent' },
          { slot: 'headline', otherwise: 'quote', font: 'heading', weight: 700, size: 8, line_height: 1.08, colour: 'light', space: 2.5 },
        ],
      },
      {
        kind: 'text',
        id: 'button',
        align: 'end',
        valign: 'middle',
        items: [{ slot: 'cta', size: 3.2, weight: 700, colour: 'dark', plate: { paint: 'accent', radius: 4, padding: 1.8 } }],
      },
      { kind: 'logo', id: 'logo', text: 'business_name' },
    ],
    boxes: {
      default: { photo: [6, 6, 88, 46], corner: [80, 50, 16, 8], words: [6, 56, 88, 28], button: [50, 87, 44, 8], logo: [6, 88, 40, 6] },
      '16:9': { photo: [50, 0, 50, 100], corner: [42, 4, 7, 12], words: [5, 14, 41, 56], button: [24, 80, 22, 12], logo: [5, 82, 18, 8] },
    },
  },
};

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
