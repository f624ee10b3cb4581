const MB = 1_000_000;

/** Pinterest API v5, from its OpenAPI description 5.23; sizes and lengths of media from its help pages, windows as small as its guide's example. */
export const limits = {
  codeSeconds: 10 * 60,
  accessTokenSeconds: 30 * 24 * 3600,
  refreshTokenSeconds: 60 * 24 * 3600,
  titleCharacters: 100,
  descriptionCharacters: 800,
  altTextCharacters: 500,
  linkCharacters: 2048,
  carousel: { min: 2, max: 5 },
  imageTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  imageBytes: 20 * MB,
  videoTypes: ['video/mp4', 'video/quicktime', 'video/x-m4v'],
  codecs: ['avc', 'hevc'],
  videoBytes: 2_000 * MB,
  video: { minMs: 4_000, maxMs: 15 * 60_000, minRatio: 1 / 2, maxRatio: 1.91 },
  uploadSeconds: 3600,
  page: { default: 25, max: 250 },
  /** A choice of the sandbox: accounts with fewer followers own no ad account. */
  advertiserFollowers: 100,
  /** How far back analytics are available, and the maximum length of a range. */
  analyticsDays: 90,
  /** Calls a minute per account, by the category that the description gives each operation. */
  rates: { org_read: 1_000, org_write: 100, org_analytics: 300, ads_read: 1_000 },
  windowMs: 60_000,
} as const;

export const hosts = {
  api: 'api.pinterest.com',
  web: 'www.pinterest.com',
  storage: 'pinterest-media-upload.s3-accelerate.amazonaws.com',
} as const;

export const scopes = [
  'ads:read',
  'ads:write',
  'boards:read',
  'boards:read_secret',
  'boards:write',
  'boards:write_secret',
  'pins:read',
  'pins:read_secret',
  'pins:write',
  'pins:write_secret',
  'user_accounts:read',
  'user_accounts:write',
];
