import type { z } from 'zod';
import { EXAMPLE_IDS } from './example-ids.ts';
import type { post } from './post.ts';

const { post_id: ID, business_id: BUSINESS, integration_id: FACEBOOK } = EXAMPLE_IDS;
const X = '0197f3a1-88bb-7d14-9f32-5c2010703e23';
const CONSOLE = `https://app.example.com/businesses/${BUSINESS}/posts`;

/** For the OpenAPI description. */
export const examplePost: z.input<typeof post> = {
  id: ID,
  business_id: BUSINESS,
  created_at: '2026-08-06T09:30:00.000Z',
  url: `${CONSOLE}/${ID}`,
  scheduled_posts_url: null,
  caption: 'Fresh bread from seven.',
  status: 'NEW',
  media_urls: [],
  media_details: [],
  design_id: null,
  cover_media_id: null,
  video_cover_timestamp_ms: null,
  link: 'https://bakery.example.com/',
  restrict_publish_to: ['facebook', 'x'],
  restrict_publish_to_integration_ids: null,
  scheduled_publish_time: null,
  published_at: null,
  metadata: { campaign: 'spring' },
  platform_overrides: [
    {
      platform: 'x',
      integration_id: null,
      caption: 'Bread!',
      media_urls: null,
      title: null,
      link: null,
      first_comment: null,
      options: { reply_settings: 'following' },
    },
  ],
  publish_results: [],
  publish_status: null,
  last_failure: null,
  queue: null,
  repeating_cron: null,
  repeating_timezone: null,
  review_note: null,
  at_risk: null,
  updated_at: '2026-08-06T09:30:00.000Z',
};

export const exampleScheduledPost: z.input<typeof post> = {
  ...examplePost,
  status: 'SCHEDULED',
  scheduled_posts_url: `${CONSOLE}?status=SCHEDULED`,
  scheduled_publish_time: '2030-08-07T07:00:00.000Z',
};

export const exampleSendingPost: z.input<typeof post> = {
  ...examplePost,
  publish_status: 'sending',
  publish_results: [
    ['facebook', FACEBOOK],
    ['x', X],
  ].map(([platform = '', integration_id = '']) => ({
    platform,
    status: 'pending',
    publish_id: null,
    post_url: null,
    error_type: null,
    error_message: null,
    integration_id,
    updated_at: '2026-08-06T09:31:00.000Z',
    lag_ms: null,
    attempts: 0,
    warnings: [],
    waiting: null,
  })),
};
