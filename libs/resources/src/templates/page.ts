import { z } from 'zod';
import { boxes, layer, paint } from './layers.ts';
import { problemsOf } from './page-problems.ts';
import { ASPECT_RATIOS, LEAST_TEXT_BOX, type AspectRatio } from './terms.ts';

const scale = z.number().min(0.5).max(2).optional();

export const page = z
  .strictObject({
    background: paint,
    text_scale: z
      .strictObject(Object.fromEntries(ASPECT_RATIOS.map((ratio) => [ratio, scale])) as Record<AspectRatio, typeof scale>)
      .optional()
      .meta({
        description: 'Multiplies the sizes, paddings and spaces of all texts in an aspect ratio, such as 1.3 for 16:9. By default 1.',
      }),
    layers: z.array(layer).min(1).max(40).meta({ description: 'From back to front.' }),
    boxes: z
      .strictObject({
        default: boxes.meta({ description: 'Every layer must have a box here.' }),
        '1:1': boxes.optional(),
        '4:5': boxes.optional(),
        '9:16': boxes.optional(),
        '16:9': boxes.optional(),
      })
      .meta({
        description:
          `The box of each layer by its id. \`default\` applies to all aspect ratios; the boxes of an aspect ratio replace those of the same layers. ` +
          `In each aspect ratio, the boxes of text and logo layers must be inside the page, and must not overlap each other. They must be at least ` +
          `${LEAST_TEXT_BOX[0]} percent wide and ${LEAST_TEXT_BOX[1]} percent high.`,
      }),
  })
  .superRefine((given, context) => {
    for (const { path, message } of problemsOf(given)) context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({
    id: 'TemplateLayout',
    description:
      '`page` is the page of a design or meme, or the first page of a carousel; `inner_page` the pages of a carousel between the first and the last ' +
      '(a carousel must have it); `last_page` the last page of a carousel, which otherwise looks like the inner pages.',
  });
