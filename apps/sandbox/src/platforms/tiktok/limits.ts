const MB = 1_000_000;
const dayMs = 24 * 3600_000;

/** Content Posting API, Display API and Login Kit, version 2. */
export const limits = {
  codeSeconds: 600,
  accessTokenSeconds: 24 * 3600,
  refreshTokenSeconds: 365 * 24 * 3600,
  uploadSeconds: 3600,
  /** [calls, window] per user token. */
  rates: {
    init: [6, 60_000],
    creator_info: [20, 60_000],
    status: [30, 60_000],
    display: [600, 60_000],
  },
  /** Direct posts per creator in 24 hours, across all apps. */
  postsPerDay: 15,
  /** Pending drafts per creator in 24 hours. */
  pendingDrafts: 5,
  dayMs,
  videoTitle: 2_200,
  photoTitle: 90,
  photoDescription: 4_000,
  photos: 35,
  photoBytes: 20 * MB,
  /** "1080p". */
  photoPixels: 1_920 * 1_080,
  photoTypes: ['image/jpeg', 'image/webp'],
  chunk: { minBytes: 5 * MB, maxBytes: 64 * MB, lastMaxBytes: 128 * MB, maxCount: 1_000 },
  video: {
    bytes: 4_000 * MB,
    types: ['video/mp4', 'video/quicktime', 'video/webm'],
    codecs: ['avc', 'hevc', 'vp8', 'vp9'],
    minMs: 3_000,
    maxSeconds: 600,
    fps: { min: 23, max: 60 },
    minSide: 360,
    maxSide: 4_096,
  },
  listSize: 20,
  /** Maximum length of a title or description in the Display API. */
  shownCharacters: 150,
} as const;

export const scopes = ['user.info.basic', 'user.info.profile', 'user.info.stats', 'video.publish', 'video.upload', 'video.list'];

export const privacyLevels = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'] as const;
/** For a public account; the sandbox has no private ones. */
export const offeredPrivacyLevels: readonly string[] = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];

export const hosts = { api: 'open.tiktokapis.com', upload: 'open-upload.tiktokapis.com', web: 'www.tiktok.com' };
