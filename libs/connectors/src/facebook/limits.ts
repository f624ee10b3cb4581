import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

/** What the reels edge accepts; every other video is sent by `/videos`, and Facebook shows it as a reel as well. */
export const reel = {
  ...{ minDurationMs: 3_000, maxDurationMs: 90_000, ratio: 9 / 16, ratioTolerance: 0.01, minWidth: 540, minHeight: 960 },
  // 24 to 60. A nominal rate of 24 is often 24,000 / 1,001.
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

/** From Meta's permissions reference. Pages of a business portfolio are listed only with `business_management`. */
export const features: FeatureScopes = {
  connect: ['pages_show_list', 'pages_read_engagement', 'business_management'],
  publish: ['pages_manage_posts'],
  first_comment: ['pages_manage_engagement'],
  find_published: ['pages_read_engagement'],
  account_stats: ['read_insights'],
  post_stats: ['read_insights'],
  unpublish: ['pages_manage_posts'],
};

/** Polls of a video's state, first quickly, later slowly; polling stops after about twenty minutes. */
export const poll = { quickMs: 5_000, quickPolls: 6, slowMs: 20_000, maxPolls: 64 };

/** `/videos` responds only after it has started to fetch the file, which takes longer than any text post. */
export const COMMIT_TIMEOUT_MS = 60_000;
/** A post appears in `published_posts` a few seconds after it was created. */
export const SETTLE_MS = 20_000;
/** Page size of the search for an ambiguous commit. Graph allows up to 100, but rejects that if the attachments are too much data. */
export const SEARCH_SIZE = 50;
