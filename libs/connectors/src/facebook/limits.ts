import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

/** What the reels edge takes; every other video goes by `/videos`, which Facebook shows as a reel just the same. */
export const reel = {
  ...{ minDurationMs: 3_000, maxDurationMs: 90_000, ratio: 9 / 16, ratioTolerance: 0.01, minWidth: 540, minHeight: 960 },
  // 24 to 60, and what is called 24 is often 24,000 / 1,001.
  ...{ minFrameRate: 23.97, maxFrameRate: 60 },
};

const videos: Limits['videos'] = { max: 1, mimeTypes: ['video/mp4', 'video/quicktime'] };

/** Platform reference 1.3. */
export const limits: Limits = {
  text: { max: 63_206, unit: 'code_points' },
  textOnly: true,
  linkAlone: true,
  showsLink: 'without_media',
  maxMedia: 10,
  mixedMedia: false,
  images: { max: 10, mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff'], maxBytes: 10_000_000 },
  videos,
  variants: [
    {
      when: { kind: 'reel' },
      limits: {
        videos: {
          ...videos,
          minDurationMs: reel.minDurationMs,
          maxDurationMs: reel.maxDurationMs,
          minSide: reel.minWidth,
          minFrameRate: reel.minFrameRate,
          maxFrameRate: reel.maxFrameRate,
          minRatio: reel.ratio * (1 - reel.ratioTolerance),
          maxRatio: reel.ratio * (1 + reel.ratioTolerance),
        },
      },
    },
  ],
};

/** By Meta's permissions reference. The pages of a business portfolio are listed with `business_management` alone. */
export const features: FeatureScopes = {
  connect: ['pages_show_list', 'pages_read_engagement', 'business_management'],
  publish: ['pages_manage_posts'],
  first_comment: ['pages_manage_engagement'],
  find_published: ['pages_read_engagement'],
  account_stats: ['read_insights'],
  post_stats: ['read_insights'],
};

/** The first polls of a video's state come quickly, the later ones slowly; after about twenty minutes nobody waits any more. */
export const poll = { quickMs: 5_000, quickPolls: 6, slowMs: 20_000, maxPolls: 64 };

/** `/videos` answers only after it has begun to fetch the file, which takes longer than a text post ever does. */
export const COMMIT_TIMEOUT_MS = 60_000;
/** A post stands in `published_posts` a few seconds after it was made. */
export const SETTLE_MS = 20_000;
/** How many posts are read at once to find a lost one. Graph gives up to 100, but refuses to where their attachments make it too much data. */
export const SEARCH_SIZE = 50;

/** With growing pauses this takes half a minute: longer than a door of ours is away for a restart. */
export const MAX_REFETCHES = 5;
