/** Graph API limits as of v26.0; any may change with a release by Meta. */
export const limits = {
  messageCharacters: 63_206,
  photoBytes: 10 * 1024 * 1024,
  photoTypes: ['image/jpeg', 'image/bmp', 'image/png', 'image/gif', 'image/tiff'],
  videoBytes: 1024 * 1024 * 1024,
  videoTypes: ['video/mp4', 'video/quicktime'],
  reel: { minMs: 3_000, maxMs: 90_000, minWidth: 540, minHeight: 960, minFps: 24, maxFps: 60, perDay: 30 },
  codeSeconds: 600,
  shortTokenSeconds: 2 * 3600,
  longTokenSeconds: 60 * 24 * 3600,
} as const;

export const scopes = [
  'public_profile',
  'email',
  'pages_show_list',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_manage_metadata',
  'read_insights',
  'business_management',
  'publish_video',
  'instagram_basic',
  'instagram_content_publish',
  'instagram_manage_comments',
  'instagram_manage_insights',
];

export const hosts = {
  graph: 'graph.facebook.com',
  video: 'graph-video.facebook.com',
  web: 'www.facebook.com',
  upload: 'rupload.facebook.com',
};
