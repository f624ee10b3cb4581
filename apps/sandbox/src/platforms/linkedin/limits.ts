const MB = 1024 * 1024;
const hourMs = 3600_000;

/** LinkedIn's Posts, Images, Videos and Comments API, from its documentation. */
export const limits = {
  /**
   * The versions in LinkedIn's table of migrations that had not ended in November 2026; there was none in December 2025. Fixed, so that tests do not
   * depend on the current date.
   */
  activeVersions: ['202601', '202602', '202603', '202604', '202605', '202606', '202607', '202608', '202609'],
  protocolVersion: '2.0.0',
  codeSeconds: 30 * 60,
  accessTokenSeconds: 60 * 24 * 3600,
  refreshTokenSeconds: 365 * 24 * 3600,
  commentaryCharacters: 3000,
  commentCharacters: 1250,
  altTextCharacters: 4086,
  /** Limits of a link card, from the Share API; the Posts API does not document them. */
  article: { titleCharacters: 200, descriptionCharacters: 256 },
  poll: { questionCharacters: 140, optionCharacters: 30, options: { min: 2, max: 4 } },
  images: { min: 2, max: 20 },
  image: { types: ['image/jpeg', 'image/png', 'image/gif'], pixels: 36_152_320, frames: 250 },
  video: { minBytes: 75_000, maxBytes: 500_000_000, minMs: 3_000, maxMs: 30 * 60_000, ratio: 2.4 },
  partBytes: 4 * MB,
  uploadUrlMs: 24 * hourMs,
  /** How long the URL of an image or video is valid at least. */
  downloadUrlMs: 24 * hourMs,
  page: { default: 10, max: 100 },
  /** How many days back statistics are available. */
  keptDays: 365,
  /** Maximum number of posts or names per call. */
  batch: 100,
  duplicateWindowMs: 24 * hourMs,
  /** Calls a day, until midnight UTC, of one member; the API has no headers for it. */
  rates: { create_post: 150, create_comment: 300 },
} as const;

/** Scopes of self-serve apps, and those that require approval. */
export const scopes = [
  'openid',
  'profile',
  'email',
  'w_member_social',
  'r_basicprofile',
  'w_organization_social',
  'r_organization_social',
  'rw_organization_admin',
  'r_member_postAnalytics',
  'r_member_profileAnalytics',
  'w_member_social_feed',
  'w_organization_social_feed',
];

export const hosts = { api: 'api.linkedin.com', web: 'www.linkedin.com' };
