import type { z } from 'zod';
import type { post } from './post.ts';

const ID = '0198f2a0-7c1e-7b3a-9d55-2f6f0c0e9a11';
const BUSINESS = '0198f29f-1d02-7c44-8a3e-5b1d9a7c2e60';
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
  platform_overrides: [{ platform: 'x', caption: 'Bread!', media_urls: null, title: null, link: null, first_comment: null }],
  publish_results: [],
  queue: null,
  repeating_cron: null,
  review_note: null,
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
  publish_results: ['facebook', 'x'].map((platform, index) => ({
    platform,
    status: 'pending',
    publish_id: null,
    post_url: null,
    error_type: null,
    error_message: null,
    integration_id: `0198f2a0-0000-7000-8000-00000000000${index}`,
    updated_at: '2026-08-06T09:31:00.000Z',
    lag_ms: null,
    attempts: 0,
  })),
};
