import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

const MB = 1_000_000;

/** Platform reference 5.3. The maximum length of a video differs by account, up to this: `query_creator_info` returns it. */
export const limits: Limits = {
  text: { max: 4_000, unit: 'utf16' },
  title: { max: 90, unit: 'utf16' },
  // TikTok requires a person's choice: there is no default.
  needsOptions: ['privacy_level'],
  textOnly: false,
  maxMedia: 35,
  mixedMedia: false,
  images: { max: 35, mimeTypes: ['image/jpeg', 'image/webp'], maxBytes: 20 * MB, maxPixels: 1_920 * 1_080 },
  videos: {
    max: 1,
    mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
    maxBytes: 4_000 * MB,
    minDurationMs: 3_000,
    maxDurationMs: 600_000,
    minSide: 360,
    maxWidth: 4_096,
    maxHeight: 4_096,
    minFrameRate: 23,
    maxFrameRate: 60,
    text: { max: 2_200, unit: 'utf16' },
  },
  variants: [{ when: { post_mode: 'draft' }, limits: { needsOptions: [] } }],
};

/** Direct posts in any 24 hours. */
export const POSTS_A_DAY = 15;

export const API_URL = 'https://open.tiktokapis.com/v2';
/** TikTok chooses the upload URL of a video: `open-upload.tiktokapis.com`, or one of a region. */
export const HOSTS = ['open.tiktokapis.com', '.tiktokapis.com'] as const;
export const AUTHORIZE_URL = 'https://www.tiktok.com/v2/auth/authorize/';
export const WEB_URL = 'https://www.tiktok.com';
/** By TikTok's scopes reference. An ambiguous commit is reconciled by `video/list`. */
export const features: FeatureScopes = {
  connect: ['user.info.basic', 'user.info.profile'],
  publish: ['video.publish'],
  drafts: ['video.upload'],
  find_published: ['video.list'],
  choices: ['video.publish'],
  account_stats: ['user.info.basic', 'user.info.stats'],
  post_stats: ['video.list'],
};

/**
 * The smallest part that TikTok accepts, by either definition of "5 MB". The last part includes the remainder, so that up to twice as much is in
 * memory, and 4 GB stay below the thousand parts that are allowed.
 */
export const PART_BYTES = 5 * 1024 * 1024;

export const DEFAULT_COVER_MS = 1_000;

/** TikTok's recommendation: every five seconds at first, then every twenty to thirty, for a quarter of an hour. */
export const poll = { quickMs: 5_000, quickPolls: 6, slowMs: 25_000, maxPolls: 41 } as const;
/** A public post gets its id only after moderation, mostly within a minute; the wait is not longer. */
export const MAX_ID_POLLS = 4;

/** The last part of a video has up to 10 MB. */
export const COMMIT_TIMEOUT_MS = 60_000;
export const SETTLE_MS = 20_000;
/** The largest page of `video/list`. */
export const SEARCH_SIZE = 20;
/** Its maximum text length (Display API, "Video Object"). */
export const LISTED_TEXT_LENGTH = 150;

/** TikTok does not say how long to wait: its windows are a sliding minute, its caps a day. */
export const WINDOW_MS = 60_000;
export const DAY_MS = 24 * 3_600_000;
