import type { Design, DesignMedia, DesignPage } from '@fanfare/contracts/generation/designs';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import { ownId, text } from '../../text/text.ts';
import { aspectRatio } from '../common/aspect-ratio.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const designMedia = z.object({ media_id: z.uuid(), url: z.string() }).meta({ id: 'DesignMedia' });

const page = {
  texts: z
    .record(z.string(), z.string())
    .meta({ description: "Texts by the names of the template's text slots.", example: { quote: 'Bread is patience.' } }),
  image_media_id: z.string().nullable().meta({ description: 'The image in the image slot of the page.' }),
  alt_text: z.string().meta({ description: 'The alternative text of the rendered image; empty: the texts on the page.' }),
};

export const design = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    name: z.string(),
    template_id: z.string(),
    aspect_ratio: z.string().meta({ example: '4:5' }),
    pages: z.array(z.object(page).meta({ id: 'DesignPage' })),
    palette: z.array(z.string()).meta({ description: 'Colors as #rrggbb, primary color first. Empty: a palette is chosen.' }),
    fonts: z.array(z.string()).meta({ description: 'Font families: headings first, then body text.' }),
    logo_media_id: z.string().nullable(),
    media: z.array(designMedia).meta({ description: 'The rendered images, one per page. Each edit renders new ones.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Design' });

const pageInput = z
  .strictObject({
    texts: z
      .record(z.string().max(40), text(500))
      .default({})
      .meta({
        description:
          'Texts by slot of the template. A text can have 500 characters; a label or cta 50, an author 60 and a number 20, of which Chinese, Japanese and ' +
          'Korean characters count twice. Scripts: Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Bengali, Thai, Chinese, Japanese and Korean, and emoji.',
      }),
    image_media_id: ownId().nullish().meta({ description: 'An image of this business, for pages with an image slot.' }),
    alt_text: text(1_000).optional(),
  })
  .meta({ id: 'DesignPageInput' });

const fields = {
  name: text(200).optional(),
  aspect_ratio: aspectRatio().optional().meta({ description: "Default: the business's `default_aspect_ratio`." }),
  palette: z.array(text(7)).max(10).optional().meta({ description: "Colors as #rrggbb, primary color first. Default: the business's." }),
  fonts: z
    .array(text(60))
    .max(2)
    .optional()
    .meta({ description: "Font families: headings first, then body text. Default: the business's." }),
  logo_media_id: ownId().nullish().meta({ description: "An image of this business; null for no logo. Default: the business's." }),
};
const pages = () =>
  z.array(pageInput).min(1).max(10).meta({ description: 'The pages of the design: one, or 2 to 10 for a carousel template.' });

export const createDesignBody = z.strictObject({ template_id: ownId(), pages: pages(), ...fields }).meta({ id: 'CreateDesign' });

export const updateDesignBody = z
  .strictObject({ template_id: ownId().optional(), pages: pages().optional(), ...fields })
  .meta({ id: 'UpdateDesign' });

export const renderDesignBody = z
  .strictObject({
    aspect_ratio: aspectRatio().optional().meta({ description: "Default: the design's." }),
    file_format: z.enum(['png', 'jpeg', 'webp']).default('png'),
  })
  .meta({ id: 'RenderDesign' });

export const renderings = z.object({ media: z.array(designMedia) }).meta({ id: 'DesignRenderings' });

export const mediaFromProto = ({ mediaId, url }: DesignMedia): z.input<typeof designMedia> => ({ media_id: mediaId, url });

export const pagesToProto = (given: readonly z.output<typeof pageInput>[]): DesignPage[] =>
  given.map(({ texts, image_media_id, alt_text }) => ({ texts, imageMediaId: image_media_id ?? undefined, altText: alt_text ?? '' }));

export const designFromProto = (given: Design): z.input<typeof design> => ({
  id: given.id,
  business_id: given.businessId,
  name: given.name,
  template_id: given.templateId,
  aspect_ratio: given.aspectRatio,
  pages: given.pages.map(({ texts, imageMediaId, altText }) => ({ texts, image_media_id: imageMediaId ?? null, alt_text: altText })),
  palette: given.palette,
  fonts: given.fonts,
  logo_media_id: given.logoMediaId ?? null,
  media: given.media.map(mediaFromProto),
  created_at: isoTime(given.createdAt),
  updated_at: isoTime(given.updatedAt),
});
