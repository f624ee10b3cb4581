import type { Template } from '@fanfare/contracts/generation';
import { isoTime, type Urls } from '@fanfare/resources';
import { templateSchema } from '@fanfare/resources/template-definition';
import { z } from 'zod';
import { nonBlank, text } from '../../text/text.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const FORMAT =
  'A page has a background, layers from back to front, and a box for each layer. Positions are in percent of the width and height of the page; sizes ' +
  'of texts, lines, corners and spaces are in percent of its shorter side. Pages are 1080 × 1080 (1:1), 1080 × 1350 (4:5), 1080 × 1920 (9:16) or ' +
  '1920 × 1080 (16:9) pixels. Text slots are filled by the texts of a design; a slot without a text takes no space. To start from a built-in ' +
  'template, read it and send its `definition` with another name.';

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
    definition: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'What `POST …/templates` takes (`CreateTemplate`), with defaults: the template as you sent it, or a built-in template, which you can copy. Null in lists.',
    }),
    created_at: timestamp().nullable().meta({ description: 'Null for built-in templates.' }),
  })
  .meta({ id: 'Template' });

/** The generation service checks it by the same schema. */
export const createTemplateBody = templateSchema
  .safeExtend({
    name: nonBlank(80),
    description: text(300).default(''),
    tags: z.array(nonBlank(30)).max(10).default([]).meta({ description: 'The first one is the theme of the template.' }),
  })
  .meta({ id: 'CreateTemplate', description: FORMAT });

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
