import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

const MINUTE_MS = 60_000;

const images: Limits['images'] = { max: 10, mimeTypes: ['image/jpeg'], maxBytes: 8_000_000 };
const videos: Limits['videos'] = {
  max: 10,
  mimeTypes: ['video/mp4', 'video/quicktime'],
  maxBytes: 300_000_000,
  minDurationMs: 3_000,
  maxDurationMs: 15 * MINUTE_MS,
  maxWidth: 1_920,
  minFrameRate: 23,
  maxFrameRate: 60,
  minRatio: 0.01,
  maxRatio: 10,
};

/** Platform reference 2.3. Images must be JPEG; Instagram scales wider ones down. */
export const limits: Limits = {
  text: { max: 2_200, unit: 'code_points', maxHashtags: 30, maxMentions: 20 },
  comment: { max: 2_200, unit: 'code_points' },
  textOnly: false,
  maxMedia: 10,
  mixedMedia: true,
  images: { ...images, minRatio: 4 / 5, maxRatio: 1.91 },
  videos,
  maxAltTextLength: 1_000,
  variants: [
    {
      when: { kind: 'story' },
      limits: {
        // Best 9:16, but shown completely at any ratio.
        maxMedia: 1,
        mixedMedia: false,
        images: { ...images, max: 1 },
        videos: { ...videos, max: 1, maxBytes: 100_000_000, maxDurationMs: MINUTE_MS },
      },
    },
  ],
};

/** Per image or reel. */
export const MAX_USER_TAGS = 20;

/** For Facebook Login, from Meta's permissions reference. Pages of a business portfolio are listed only with `business_management`. */
export const features: FeatureScopes = {
  connect: ['instagram_basic', 'pages_show_list', 'pages_read_engagement', 'business_management'],
  publish: ['instagram_content_publish'],
  first_comment: ['instagram_manage_comments'],
  find_published: ['instagram_basic'],
  account_stats: ['instagram_manage_insights'],
  post_stats: ['instagram_manage_insights'],
};

/** For Instagram Login, which requires no Facebook page (platform reference 2.1). */
export const INSTAGRAM_LOGIN_HOSTS = ['graph.instagram.com', 'api.instagram.com'] as const;
export const instagramLoginFeatures: FeatureScopes = {
  connect: ['instagram_business_basic'],
  publish: ['instagram_business_content_publish'],
  first_comment: ['instagram_business_manage_comments'],
  find_published: ['instagram_business_basic'],
  account_stats: ['instagram_business_manage_insights'],
  post_stats: ['instagram_business_manage_insights'],
};

/** In any day; a carousel counts as one. `quotas.ts` reads the account's own limit. */
export const POSTS_A_DAY = 50;
export const DAY_MS = 24 * 60 * MINUTE_MS;
/** The lifetime of its tokens, and their minimum age for a renewal: a day by Meta's clock, and an hour for rounding. */
export const LONG_TOKEN_MS = 60 * DAY_MS;
export const RENEWABLE_AFTER_MS = DAY_MS + 60 * MINUTE_MS;

/** Waits between polls of a container. An image is usually ready within a second; a long reel may take half an hour. */
export const poll = {
  image: { firstMs: 1_000, quickMs: 5_000, quickPolls: 12, slowMs: 10_000, maxPolls: 36 },
  video: { firstMs: 10_000, quickMs: 10_000, quickPolls: 6, slowMs: MINUTE_MS, maxPolls: 36 },
} as const;

/** `media_publish` copies the media before it responds, and may take most of a minute for a long reel. */
export const COMMIT_TIMEOUT_MS = 60_000;
/** A container turns `PUBLISHED` with the post; the rest is a reserve for requests still on their way through Meta's edge. */
export const SETTLE_MS = 20_000;

export const NOT_READY_DELAY_MS = 10_000;
export const QUOTA_DELAY_MS = 60 * MINUTE_MS;
export const SPAM_DELAY_MS = 6 * 60 * MINUTE_MS;
