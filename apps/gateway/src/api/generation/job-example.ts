import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { job } from './job.ts';

/** For the OpenAPI description: a job that was just accepted. */
export const examplePendingJob: z.input<typeof job> = {
  job_id: EXAMPLE_IDS.job_id,
  status: 'pending',
  data: [],
  error: null,
  progress: { step: 'input', completed: 0, total: 1, percent: 0 },
  composer: 'embedded',
  warnings: [],
  credits: 1,
  model_usage: null,
  created_at: '2026-08-06T09:30:00.000Z',
  ended_at: null,
};

const image = 'https://api.fanfare.example/media/0197f3a5-3c4d-7e5f-8a6b-7c8d9e0f1a55/5f0c1d/quote-card-1.png';

export const exampleJob: z.input<typeof job> = {
  ...examplePendingJob,
  status: 'completed',
  data: [
    {
      post_id: EXAMPLE_IDS.post_id,
      caption:
        'Our sourdough rests for a whole day.\n\nWe use flour, water and salt, and nothing else.\n\nCome and say hello.\n\n#bakery #sourdough',
      idea: 'Our sourdough rests for a whole day',
      text_content: {
        headline: 'Our sourdough rests for a whole day',
        body: 'We use flour, water and salt, and nothing else',
        call_to_action: 'Learn more',
        hashtags: ['bakery', 'sourdough'],
        language: 'en',
        alt_text: 'Our sourdough rests for a whole day. We use flour, water and salt, and nothing else.',
        platform_captions: {},
      },
      slides: [{ image_url: image, image_keyword: '' }],
      topic_title: 'How we bake our rye bread',
      category_name: 'Craft',
      template_id: 'quote-card',
      theme_name: 'quote',
      title: 'Our sourdough rests for a whole day',
      creative_format: 'design',
      rendered_urls: [image],
      score: {
        overall: 91.4,
        readability: 88.2,
        readability_measure: 'flesch_reading_ease',
        length: 100,
        contrast: 77.4,
        contrast_ratio: 5.64,
        originality: 100,
        lengths: [{ platform: 'x', characters: 131, limit: 280 }],
      },
    },
  ],
  progress: { step: 'done', completed: 1, total: 1, percent: 100 },
  ended_at: '2026-08-06T09:30:04.000Z',
};

export const exampleFailedJob: z.input<typeof job> = {
  ...examplePendingJob,
  status: 'failed',
  error: 'The website could not be read: it responded with 404.',
  credits: 0,
  ended_at: '2026-08-06T09:30:02.000Z',
};
