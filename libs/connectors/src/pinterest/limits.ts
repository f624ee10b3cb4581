import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

const MINUTE_MS = 60_000;
const MB = 1_000_000;

/** Platform reference 6.3. Pinterest documents JPEG and PNG; it also accepts animated GIFs that it fetches, which no conversion could replace. */
export const limits: Limits = {
  text: { max: 800, unit: 'code_points' },
  title: { max: 100, unit: 'code_points' },
  link: { max: 2_048, unit: 'code_points' },
  needsOptions: ['board_id'],
  showsLink: 'always',
  textOnly: false,
  maxMedia: 5,
  mixedMedia: false,
  images: { max: 5, mimeTypes: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: 20 * MB },
  videos: {
    max: 1,
    mimeTypes: ['video/mp4', 'video/quicktime', 'video/x-m4v'],
    maxBytes: 2_000 * MB,
    minDurationMs: 4_000,
    maxDurationMs: 15 * MINUTE_MS,
    minRatio: 1 / 2,
    maxRatio: 1.91,
  },
  maxAltTextLength: 500,
  videoAltText: true,
};

export const API_URL = 'https://api.pinterest.com/v5';
/** Videos are uploaded to Pinterest's S3 bucket with a form that Pinterest signs: no token of ours is sent there. */
export const HOSTS = [
  'api.pinterest.com',
  'pinterest-media-upload.s3-accelerate.amazonaws.com',
  'pinterest-media-upload.s3.amazonaws.com',
] as const;
export const AUTHORIZE_URL = 'https://www.pinterest.com/oauth/';

/** Reads ad accounts and their audience. Only operators whose app was approved for it request it; few accounts have an ad account. */
export const AUDIENCE_SCOPE = 'ads:read';

/** By Pinterest's description of its API: `POST /v5/pins` requires all four. */
export const features: FeatureScopes = {
  connect: ['user_accounts:read'],
  publish: ['boards:read', 'boards:write', 'pins:read', 'pins:write'],
  find_published: ['boards:read', 'pins:read'],
  choices: ['boards:read'],
  account_stats: ['user_accounts:read'],
  post_stats: ['boards:read', 'pins:read'],
  unpublish: ['boards:read', 'boards:write', 'pins:read', 'pins:write'],
  audience_stats: [AUDIENCE_SCOPE],
};

/** A video is usually ready within minutes; polling stops after a quarter of an hour. */
export const POLL_MS = 5_000;
export const MAX_POLLS = 180;

/** Pinterest fetches the images, up to five of 20 MB, before it responds. */
export const COMMIT_TIMEOUT_MS = 60_000;
/** Pinterest does not document when a board's list shows a new pin. */
export const SETTLE_MS = 30_000;
/** Page size of the search for an ambiguous commit. Pinterest allows 250, which with long texts and links exceed our response limit. */
export const SEARCH_SIZE = 100;

/** The largest page size of lists of boards and sections. */
export const CHOICES_PAGE_SIZE = 250;

/** If Pinterest does not say how long to wait: its shortest documented window is a minute. */
export const WINDOW_MS = MINUTE_MS;
/** A larger `x-ratelimit-reset` is not a number of seconds to wait. */
export const MAX_WINDOW_MS = 24 * 60 * MINUTE_MS;
