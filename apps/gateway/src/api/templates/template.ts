import type { Template } from '@fanfare/contracts/generation';
import { isoTime, type Urls } from '@fanfare/resources';
import { z } from 'zod';
import { nonBlank, text } from '../../text/text.ts';
import { selfLink } from '../shared/self-link.ts';
import { timestamp } from '../shared/timestamp.ts';

const json = z.record(z.string(), z.unknown());

export const template = z
  .object({
    self: selfLink(),
    id: z.string().meta({ description: 'A name, or the UUID of a template of your own.', example: 'quote-card' }),
    name: z.string(),
    format: z.string().meta({ description: 'design, carousel or meme.', example: 'design' }),
    theme_name: z.string().meta({ description: 'The theme of the template.' }),
    is_own: z.boolean().meta({ description: 'Whether the template belongs to the business.' }),
    slots: z
      .array(z.object({ name: z.string(), kind: z.string().meta({ description: 'text, image or logo.' }) }).meta({ id: 'TemplateSlot' }))
      .meta({ description: 'The slots that a design fills.' }),
    aspect_ratios: z.array(z.string()),
    previews: z
      .record(z.string(), z.string())
      .meta({ description: 'WebP images with sample texts, by aspect ratio. They need no credential.' }),
    definition: json
      .nullable()
      .meta({ description: 'The template as you sent it, with defaults. Only in single reads of templates of your own; otherwise null.' }),
    created_at: timestamp().nullable().meta({ description: 'Null for built-in templates.' }),
  })
  .meta({ id: 'Template' });

const page = (description: string) => json.meta({ description });

/** The generation service checks pages. */
export const createTemplateBody = z
  .strictObject({
    name: nonBlank(80),
    description: text(300).optional(),
    format: z.enum(['design', 'carousel', 'meme']),
    tags: z.array(nonBlank(30)).max(10).optional(),
    page: page(
      'The page, or the first one of a carousel: its `background`, its `layers` from back to front (`kind`: shape, image, logo or text), and its `boxes`: left, top, width and height of each layer in percent, for all aspect ratios (`default`) or for one.',
    ),
    inner_page: page('The pages of a carousel between the first and the last.').optional(),
    last_page: page('The last page of a carousel.').optional(),
  })
  .meta({ id: 'CreateTemplate' });

/** The aspect ratio in the URL of a preview. */
export const ratioInPath = (ratio: string): string => ratio.replace(':', 'x');

export function templateFromProto(given: Template, urls: Urls): z.input<typeof template> {
  const token = given.previewToken === '' ? '' : `/${given.previewToken}`;
  const previews = given.aspectRatios.map(
    (ratio) => [ratio, urls.api(`/templates/${given.id}${token}/${ratioInPath(ratio)}.webp`)] as const,
  );
  return {
    id: given.id,
    name: given.name,
    format: given.format,
    theme_name: given.themeName,
    is_own: given.isOwn,
    slots: given.slots,
    aspect_ratios: given.aspectRatios,
    previews: Object.fromEntries(previews),
    definition: given.definition ?? null,
    created_at: given.createdAt ? isoTime(given.createdAt) : null,
  };
}
