import { z } from 'zod';
import { page } from './page.ts';
import { TEMPLATE_FORMATS } from './terms.ts';

export * from './terms.ts';
export type { Box, Colour, ImageLayer, Layer, LogoLayer, Page, Paint, ShapeLayer, TextItem, TextLayer } from './layers.ts';

/** A template lays out texts, an image, a logo and the colors of a business in each aspect ratio. */
export const templateSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    description: z.string().trim().max(300).default(''),
    format: z.enum(TEMPLATE_FORMATS),
    tags: z
      .array(z.string().trim().min(1).max(30))
      .max(10)
      .default([])
      .meta({ description: 'The first one is the theme of the template.' }),
    /** The page of a design or meme, and the first page of a carousel. */
    page,
    /** The pages of a carousel between the first and the last. */
    inner_page: page.optional(),
    /** The last page of a carousel. */
    last_page: page.optional(),
  })
  .superRefine(({ format, inner_page, last_page }, context) => {
    if (format === 'carousel' && !inner_page)
      context.addIssue({ code: 'custom', path: ['inner_page'], message: 'is required for a carousel' });
    if (format !== 'carousel')
      for (const [name, given] of [['inner_page', inner_page] as const, ['last_page', last_page] as const])
        if (given) context.addIssue({ code: 'custom', path: [name], message: 'is only for carousels' });
  });
export type Template = z.infer<typeof templateSchema>;
