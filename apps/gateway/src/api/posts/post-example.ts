import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { createPostBody } from './bodies/create-post-body.ts';
import type { post } from './post.ts';

const { post_id: ID, business_id: BUSINESS, integration_id: FACEBOOK } = EXAMPLE_IDS;
type PublishResult = z.input<typeof post>['publish_results'][number];

const X = '0197f3a1-88bb-7d14-9f32-5c2010703e23';
const PHOTO = `https://api.example.com/media/${EXAMPLE_IDS.media_id}/bread.jpg`;
const CONSOLE = `https://app.example.com/businesses/${BUSINESS}/posts`;

/** For the OpenAPI description. */
export const examplePost: z.input<typeof post> = {
  id: ID,
  business_id: BUSINESS,
  status: 'NEW',
  caption: 'Fresh bread from seven.',
  media_urls: [],
  media_details: [],
  scheduled_publish_time: null,
  published_at: null,
  publish_status: null,
  publish_results: [],
  last_failure: null,
  at_risk: null,
  restrict_publish_to: ['facebook', 'x'],
  restrict_publish_to_integration_ids: null,
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
  link: 'https://bakery.example.com/',
  cover_media_id: null,
  video_cover_timestamp_ms: null,
  design_id: null,
  repeating_cron: null,
  repeating_timezone: null,
  series_id: null,
  misfire_policy: null,
  strategy: 'independent',
  queue: null,
  metadata: { campaign: 'spring' },
  review_note: null,
  url: `${CONSOLE}/${ID}`,
  scheduled_posts_url: null,
  created_at: '2026-08-06T09:30:00.000Z',
  updated_at: '2026-08-06T09:30:00.000Z',
};

/** A post that one of its platforms would reject. */
export const examplePostAtRisk: z.input<typeof post> = {
  ...examplePost,
  status: 'SCHEDULED',
  scheduled_publish_time: '2026-08-07T09:30:00.000Z',
  at_risk: [
    {
      code: 'account_expired',
      detail: `Access to the Facebook account ${FACEBOOK} has ended. Reconnect it, or publishing to it fails.`,
      media_id: null,
      platform: 'facebook',
      field: null,
      limit: null,
      value: null,
      source: null,
      fix: null,
    },
  ],
};

export const exampleScheduledPost: z.input<typeof post> = {
  ...examplePost,
  status: 'SCHEDULED',
  media_urls: [PHOTO],
  media_details: [{ id: EXAMPLE_IDS.media_id, url: PHOTO, type: 'image', description: 'A loaf of rye bread', transcript: '', duration: 0 }],
  scheduled_posts_url: `${CONSOLE}?status=SCHEDULED`,
  scheduled_publish_time: '2030-08-07T07:00:00.000Z',
};

export const exampleQueuedPost: z.input<typeof post> = {
  ...exampleScheduledPost,
  scheduled_publish_time: null,
  queue: { queue_id: EXAMPLE_IDS.queue_id, position: 1, estimated_publish_time: '2030-08-07T07:00:00.000Z' },
};

const results = (of: (platform: string) => Partial<PublishResult>): PublishResult[] =>
  [
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
    removal: null,
    ...of(platform),
  }));

export const exampleSendingPost: z.input<typeof post> = { ...examplePost, publish_status: 'sending', publish_results: results(() => ({})) };

const isPublished = (platform: string): Partial<PublishResult> => ({
  status: 'success',
  publish_id: platform === 'x' ? '1953040123456789012' : '102938475610293_122093847561029384',
  post_url:
    platform === 'x'
      ? 'https://x.com/bakery/status/1953040123456789012'
      : 'https://www.facebook.com/102938475610293/posts/122093847561029384',
  lag_ms: 412,
  attempts: 1,
});
const hasFailed: Partial<PublishResult> = {
  status: 'failed',
  error_type: 'permission_denied',
  error_message: 'The account has not permitted Fanfare to publish. Reconnect it.',
  attempts: 1,
};
const PUBLISHED = { status: 'PUBLISHED', published_at: '2026-08-06T09:31:00.000Z' } as const;

/** After a publication has ended. */
export const exampleEndedPosts = {
  'post.published': { ...examplePost, ...PUBLISHED, publish_status: 'succeeded', publish_results: results(isPublished) },
  'post.partially_published': {
    ...examplePost,
    ...PUBLISHED,
    publish_status: 'partially_failed',
    publish_results: results((platform) => (platform === 'x' ? hasFailed : isPublished(platform))),
  },
  'post.failed': { ...examplePost, publish_status: 'failed', publish_results: results(() => hasFailed) },
} satisfies Readonly<Record<string, z.input<typeof post>>>;

/** Published, and removed from X, or about to be. */
export const exampleUnpublishedPost = (status: 'pending' | 'removed'): z.input<typeof post> => {
  const removal = { status, error_type: null, detail: null, url: null, updated_at: '2026-08-06T10:02:00.000Z' };
  return {
    ...exampleEndedPosts['post.published'],
    publish_results: results((platform) => ({ ...isPublished(platform), ...(platform === 'x' && { removal }) })),
  };
};

/** A post with all usual fields. */
export const exampleCreatePost: z.input<typeof createPostBody> = {
  caption: 'Fresh bread from seven.',
  media_ids: [EXAMPLE_IDS.media_id],
  status: 'SCHEDULED',
  scheduled_publish_time: '2030-08-07T07:00:00Z',
  restrict_publish_to: ['facebook', 'x'],
  platform_overrides: [{ platform: 'x', caption: 'Bread!', options: { reply_settings: 'following' } }],
  link: 'https://bakery.example.com/',
  metadata: { campaign: 'spring' },
};
