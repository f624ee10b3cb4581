import type { CreateJobRequest, GenerationLimits } from '@fanfare/contracts/generation';
import { z } from 'zod';
import { ownId, text } from '../../text/text.ts';
import { aspectRatio } from '../common/aspect-ratio.ts';

export const CREATIVE_FORMATS = ['design', 'carousel', 'meme', 'image', 'gif', 'video', 'ai-image', 'ai-video'] as const;

/** The service checks that there is content, website_url or custom_idea: a missing one is `missing_field`, not `validation_failed`. */
export const generateBody = z
  .strictObject({
    content: text(20_000)
      .nullish()
      .meta({ description: 'Text to write about. Send at least one of `content`, `website_url` and `custom_idea`.' }),
    website_url: text(2_048).nullish().meta({
      description: "A page to write about. Its main text is read, if the website's robots.txt allows `FanfareBot`.",
      example: 'https://example.com/our-bread',
    }),
    custom_idea: text(2_000).nullish().meta({ description: 'The idea of all posts.' }),
    count: z.int().min(1).max(10).nullish().meta({ description: 'Posts to generate. Default: 1.' }),
    creative_formats: z.array(z.enum(CREATIVE_FORMATS)).max(10).nullish().meta({
      description:
        'Used in turn. Default: those of the business. `ai-image` and `ai-video` are rejected on servers that have no provider for them.',
    }),
    ai_image_type: z
      .enum(['design', 'photo', 'infographic', 'meme'])
      .nullish()
      .meta({ description: 'The kind of image to generate, if the format is `ai-image`.' }),
    ai_image_style: text(100)
      .nullish()
      .meta({ description: 'The visual style of the image, if the format is `ai-image`.', example: 'isometric' }),
    template_ids: z.array(ownId()).max(20).nullish().meta({ description: 'Templates for designs. Default: any.' }),
    voice: text(2_000).nullish().meta({ description: "The tone of the posts. Default: the business's `tone`." }),
    include_stock: z
      .boolean()
      .nullish()
      .meta({ description: "Whether stock photos may be used. Default: the business's `include_stock`." }),
    aspect_ratio: aspectRatio().nullish().meta({ description: "Default: the business's `default_aspect_ratio`." }),
  })
  .meta({ id: 'GeneratePosts' });

export const toCreateJobRequest = (body: z.output<typeof generateBody>, jobId: string, limits: GenerationLimits): CreateJobRequest => ({
  jobId,
  content: body.content ?? undefined,
  websiteUrl: body.website_url ?? undefined,
  customIdea: body.custom_idea ?? undefined,
  count: body.count ?? 1,
  creativeFormats: body.creative_formats ?? [],
  aiImageType: body.ai_image_type ?? undefined,
  aiImageStyle: body.ai_image_style ?? undefined,
  templateIds: body.template_ids ?? [],
  voice: body.voice ?? undefined,
  includeStock: body.include_stock ?? undefined,
  aspectRatio: body.aspect_ratio ?? undefined,
  limits,
});
