/** Instagram content publishing limits as of v26.0; any may change with a release by Meta. */
export const limits = {
  captionCharacters: 2_200,
  hashtags: 30,
  mentions: 20,
  collaborators: 3,
  userTags: 20,
  altTextCharacters: 1_000,
  carouselItems: { min: 2, max: 10 },
  imageBytes: 8 * 1024 * 1024,
  imageRatio: { min: 4 / 5, max: 1.91 },
  videoRatio: { min: 0.01, max: 10 },
  videoMaxWidth: 1920,
  videoTypes: ['video/mp4', 'video/quicktime'],
  codecs: ['avc', 'hevc'],
  framesPerSecond: { min: 23, max: 60 },
  reel: { minMs: 3_000, maxMs: 15 * 60_000, bytes: 300 * 1024 * 1024 },
  story: { minMs: 3_000, maxMs: 60_000, bytes: 100 * 1024 * 1024 },
  containerLifeMs: 24 * 3600 * 1000,
  containersPerDay: 400,
  postsPerDay: 100,
  insightDays: 30,
  insightKeptDays: 730,
  demographicsFollowers: 100,
  storyViewers: 5,
  codeSeconds: 3600,
  shortTokenSeconds: 3600,
  longTokenSeconds: 60 * 24 * 3600,
  refreshableAfterMs: 24 * 3600 * 1000,
} as const;

/** The Pages with a location that posts can have: Munich. */
export const places = ['7640348500'];

export const hosts = { graph: 'graph.instagram.com', api: 'api.instagram.com', web: 'www.instagram.com' };

/** The scopes of Instagram Login; those of Facebook Login are in the comment of `requireInstagramScope`. */
export const scopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_comments',
  'instagram_business_manage_insights',
  'instagram_business_manage_messages',
];
