import { z } from 'zod';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const share = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `0 to 100. ${description}`, example: 84.2 });

const score = z
  .object({
    overall: z.number().meta({ description: '0 to 100: the mean of the other scores that are not null.', example: 86.1 }),
    readability: share(
      'How easy the caption is to read, by `readability_measure`. Null if there is no measure for its language, or it has fewer than five words.',
    ),
    readability_measure: z.string().nullable().meta({
      description:
        'flesch_reading_ease (English), flesch_amstad (German), kandel_moles (French), fernandez_huerta (Spanish), flesch_martins (Portuguese), gulpease (Italian) or flesch_douma (Dutch).',
      example: 'flesch_reading_ease',
    }),
    length: share('How well the caption fits the limits and usual lengths of the target platforms.'),
    contrast: share('From the lowest contrast of a text on the image: 100 from 7:1. Null without text on the image.'),
    contrast_ratio: z.number().nullable().meta({
      description: 'The lowest contrast ratio of a text on the image, by WCAG 2.2. Null without text on the image.',
      example: 6.4,
    }),
    originality: share('100 if the caption shares no phrase of three words with the last 50 posts of the business.'),
    lengths: z
      .array(z.object({ platform: z.string(), characters: z.int(), limit: z.int() }).meta({ id: 'PlatformLength' }))
      .meta({ description: 'The length of the caption as each platform counts it, and its limit.' }),
  })
  .meta({ id: 'GenerationScore', description: 'Every value is computed from the generated post. Null if it cannot be computed.' });

const textContent = z
  .object({
    headline: z.string().meta({ description: 'The main line on the image.' }),
    body: z.string().meta({ description: 'The lines below the headline.' }),
    call_to_action: z.string(),
    hashtags: z.array(z.string()).meta({ description: 'Without #.' }),
    language: z.string().meta({ description: 'BCP 47.', example: 'en' }),
    alt_text: z.string(),
    platform_captions: z
      .record(z.string(), z.string())
      .meta({ description: 'Shorter captions, for platforms whose limit the caption exceeds.' }),
  })
  .meta({ id: 'GeneratedTextContent', description: 'The parts of the texts of a generated post.' });

const generatedPost = z
  .object({
    post_id: z.string().meta({ description: 'The generated post; its status is NEW.' }),
    caption: z.string(),
    idea: z.string(),
    text_content: textContent,
    slides: z.array(z.object({ image_url: z.string(), image_keyword: z.string() }).meta({ id: 'GeneratedSlide' })),
    topic_title: z.string().meta({ description: 'The topic of the post; empty without one.' }),
    category_name: z.string(),
    template_id: z.string(),
    theme_name: z.string(),
    title: z.string(),
    creative_format: z.string().meta({ example: 'design' }),
    rendered_urls: z.array(z.string()).meta({ description: 'The images or the video of the post, in order.' }),
    score: z.union([score, z.null()]),
  })
  .meta({ id: 'GeneratedPost' });

const progress = z
  .object({
    step: z.string().meta({
      description: 'input, ideas, copy, creatives, posts or done; for a failed job, the step that failed. New values may be added.',
      example: 'creatives',
    }),
    completed: z.int().meta({ description: 'Posts whose images or videos are complete.' }),
    total: z.int().meta({ description: 'Requested posts.' }),
    percent: z.int().meta({ example: 60 }),
  })
  .meta({ id: 'JobProgress' });

const modelUsage = z
  .object({
    requests: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: z.number().nullable().meta({ description: 'Null unless the prices of the model are known.' }),
  })
  .meta({ id: 'ModelUsage' });

export const job = z
  .object({
    self: selfLink(),
    job_id: z.uuid(),
    status: z.string().meta({ description: 'pending, completed or failed.', example: 'completed' }),
    data: z.array(generatedPost).meta({ description: 'The generated posts; empty until the job is completed.' }),
    error: z.string().nullable().meta({ description: 'Why the job failed; null unless it failed.' }),
    progress,
    composer: z.string().meta({
      description:
        'The composer of the texts: `embedded`, which combines sentences of the source without a language model, or the name of the language model.',
    }),
    warnings: z
      .array(z.string())
      .meta({ description: 'How the result differs from your request, such as a post that could not be generated.' }),
    credits: z.int().meta({
      description: 'While the job is pending: the credits charged for all requested posts. After that: one for each generated post.',
    }),
    model_usage: z.union([modelUsage, z.null()]).meta({ description: 'Null if no language model was used.' }),
    created_at: timestamp(),
    ended_at: timestamp().nullable(),
  })
  .meta({ id: 'Job' });
