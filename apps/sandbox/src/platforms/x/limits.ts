const quarterMs = 15 * 60_000;
const MB = 1024 * 1024;

/** X API v2 limits, from its OpenAPI description 2.167 and media guide. */
export const limits = {
  characters: 280,
  premiumCharacters: 25_000,
  /** Text length of a longer post, if its note is not requested. */
  shownCharacters: 270,
  stateCharacters: 500,
  codeSeconds: 30,
  accessTokenSeconds: 2 * 3600,
  refreshTokenSeconds: 183 * 24 * 3600,
  altTextCharacters: 1000,
  mediaLifeSeconds: 24 * 3600,
  chunkBytes: 4 * MB,
  maxSegmentIndex: 999,
  /** How many posts a timeline goes back, and the maximum per lookup. */
  timelinePosts: 3_200,
  lookupPosts: 100,
  analyzedMedia: 100,
  /** The age up to which the author can read a post's private metrics. */
  privateMetricsMs: 30 * 24 * 3600_000,
  duplicateWindowMs: 24 * 3600_000,
  /** [calls, window] per user, or per app where the name says so. */
  rates: {
    create_post: [100, quarterMs],
    delete_post: [50, quarterMs],
    create_post_app: [10_000, 24 * 3600_000],
    media: [1_875, quarterMs],
    list_posts: [900, quarterMs],
    get_posts: [5_000, quarterMs],
    get_me: [75, quarterMs],
    other: [900, quarterMs],
  },
  categories: {
    tweet_image: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], bytes: 5 * MB },
    tweet_gif: { types: ['image/gif'], bytes: 15 * MB },
    tweet_video: { types: ['video/mp4', 'video/quicktime'], bytes: 512 * MB },
    amplify_video: { types: ['video/mp4', 'video/quicktime'], bytes: 512 * MB },
  },
  gif: { width: 1280, height: 1080, frames: 350 },
  video: { minMs: 500, maxMs: 140_000, minSide: 32, maxLongerSide: 1920, maxShorterSide: 1200, maxFps: 60, ratio: 3 },
} as const;

export type Category = keyof typeof limits.categories;

export const scopes = [
  'tweet.read',
  'tweet.write',
  'users.read',
  'media.write',
  'offline.access',
  'tweet.moderate.write',
  'follows.read',
  'like.read',
  'list.read',
  'bookmark.read',
];

/** The existing communities; every user is a member. */
export const communities = ['1146654567674912769'];

export const hosts = { api: 'api.x.com', web: 'x.com' };
