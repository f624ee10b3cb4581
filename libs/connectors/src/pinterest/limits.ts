import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

const MINUTE_MS = 60_000;
const MB = 1_000_000;

/** Platform reference 6.3. Pinterest names JPEG and PNG; of what it fetches it takes moving GIFs too, which nothing else could stand in for. */
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
/** Videos go to Pinterest's bucket on S3, by a form that Pinterest signs: no token of ours goes there. */
export const HOSTS = [
  'api.pinterest.com',
  'pinterest-media-upload.s3-accelerate.amazonaws.com',
  'pinterest-media-upload.s3.amazonaws.com',
] as const;
export const AUTHORIZE_URL = 'https://www.pinterest.com/oauth/';

/** By Pinterest's description of its API: `POST /v5/pins` wants all four. Who follows an account is told to advertisers. */
export const features: FeatureScopes = {
  connect: ['user_accounts:read'],
  publish: ['boards:read', 'boards:write', 'pins:read', 'pins:write'],
  find_published: ['boards:read', 'pins:read'],
  choices: ['boards:read'],
  account_stats: ['user_accounts:read'],
  post_stats: ['boards:read', 'pins:read'],
  audience_stats: ['ads:read'],
};

/** A video is usually ready within minutes; Pinterest is asked for a quarter of an hour. */
export const POLL_MS = 5_000;
export const MAX_POLLS = 180;

/** Pinterest fetches the pictures, up to five of 20 MB, before it answers. */
export const COMMIT_TIMEOUT_MS = 60_000;
/** Pinterest does not say how soon a pin stands in its board's list. */
export const SETTLE_MS = 30_000;
/** How many pins are read at once to find a lost one. Pinterest gives up to 250, which with long texts and links are more than we read of an answer. */
export const SEARCH_SIZE = 100;

/** The largest page that lists of boards and sections have. */
export const CHOICES_PAGE_SIZE = 250;

/** Where Pinterest does not say how long: its shortest documented window is a minute. */
export const WINDOW_MS = MINUTE_MS;
/** More than this in `x-ratelimit-reset` is no number of seconds to wait. */
export const MAX_WINDOW_MS = 24 * 60 * MINUTE_MS;
/** How long a picture that could not be fetched is given before it is tried once more. */
export const FETCH_PAUSE_MS = 10_000;
