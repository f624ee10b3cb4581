import type { FeatureScopes } from '../features.ts';
import type { Limits, TextLimit } from '../limits.ts';

/** twitter-text, `validate.yml`: a post must not contain any of these. */
const FORBIDDEN = ['\uFFFE', '\uFEFF', '\uFFFF'];

const text: TextLimit = { max: 280, unit: 'x_weighted', maxCashtags: 1, forbidden: FORBIDDEN };

/** What subscribers may post through the API, according to vendors; X's own app allows more. */
const longText: TextLimit = { ...text, max: 4_000 };

const videos: Limits['videos'] = {
  max: 1,
  mimeTypes: ['video/mp4', 'video/quicktime'],
  maxBytes: 512_000_000,
  minDurationMs: 500,
  minSide: 32,
  // X's guide says 1280 × 1024, recommends 720 × 1280 and accepts 1080p, which subscribers see in full; its help has these, for either orientation.
  maxLongerSide: 1_920,
  maxShorterSide: 1_200,
  maxFrameRate: 60,
  minRatio: 1 / 3,
  maxRatio: 3,
};

/** Platform reference 4.3. X decides how long a subscriber's video may be. */
export const limits: Limits = {
  text,
  comment: text,
  textOnly: true,
  maxMedia: 4,
  mixedMedia: false,
  images: {
    max: 4,
    mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
    maxBytes: 5_000_000,
    maxFrames: 350,
    gif: { maxBytes: 15_000_000, maxWidth: 1_280, maxHeight: 1_080 },
  },
  videos: { ...videos, maxDurationMs: 140_000 },
  maxAltTextLength: 1_000,
  variants: [
    { when: { premium: true }, limits: { text: longText, comment: longText, videos } },
    { when: { append_link: true }, limits: { appendsLink: true, linkAlone: true, showsLink: 'always' } },
  ],
};

export const API_URL = 'https://api.x.com/2';
export const HOSTS = ['api.x.com'] as const;
export const AUTHORIZE_URL = 'https://x.com/i/oauth2/authorize';
/** From X's authentication mapping; without `offline.access` there is no refresh token. */
export const features: FeatureScopes = {
  connect: ['tweet.read', 'users.read', 'offline.access'],
  publish: ['tweet.write', 'media.write'],
  first_comment: ['tweet.write'],
  find_published: ['tweet.read', 'users.read'],
  account_stats: ['users.read'],
  post_stats: ['tweet.read'],
  unpublish: ['tweet.read', 'tweet.write', 'users.read'],
};

/** Images up to this size are sent in one request. */
export const MAX_SIMPLE_UPLOAD_BYTES = 1024 * 1024;
/** X accepts parts of 1 to 4 MB, at most a thousand; one is in memory at a time. */
export const PART_BYTES = 2 * 1024 * 1024;

/** If X does not say when to poll a video again. */
export const POLL_MS = 5_000;
export const MAX_POLLS = 240;
/** How often an upload is started over because X has rejected a part of it. */
export const MAX_RESTARTS = 3;

/** `POST /2/tweets` responds in a second or two. */
export const COMMIT_TIMEOUT_MS = 20_000;
/** The user's timeline is eventually consistent: X recommends waiting ten to twenty seconds. */
export const SETTLE_MS = 20_000;
/** Page size of the search for an ambiguous commit: the most that X allows. It charges for each post, not for each page. */
export const SEARCH_SIZE = 100;

/** X's windows are a quarter of an hour, caps a day or more. */
export const WINDOW_MS = 15 * 60_000;
/** The longest window of X. */
export const MAX_WINDOW_MS = 24 * 3_600_000;
export const CAPPED_DELAY_MS = 24 * 60 * 60_000;
