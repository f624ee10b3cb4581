import type { FeatureScopes } from '../features.ts';
import type { Limits, TextLimit } from '../limits.ts';

const forbidden = ['<', '>'];
export const title: TextLimit = { max: 100, unit: 'code_points', forbidden };

/** Platform reference 7.3. Videos longer than 15 minutes require a verified channel, which the API does not show. */
export const limits: Limits = {
  text: { max: 5_000, unit: 'utf8_bytes', forbidden },
  title,
  needsTitle: true,
  comment: { max: 10_000, unit: 'code_points' },
  textOnly: false,
  maxMedia: 1,
  mixedMedia: false,
  images: { max: 0, mimeTypes: [] },
  videos: {
    max: 1,
    mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska', 'video/mpeg', 'video/x-msvideo', 'video/3gpp'],
    maxBytes: 256 * 1024 ** 3,
    maxDurationMs: 12 * 3600_000,
  },
  variants: [{ when: { made_for_kids: true }, limits: { noComments: true } }],
};

/**
 * The categories that `videoCategories.list` marks as assignable, over all regions: a country may lack one of them (29, mostly), and none has another. Its other categories
 * are obsolete (18, 21), for films on sale (30 to 44), or chosen by YouTube (42, Shorts).
 */
export const CATEGORIES: readonly string[] = ['1', '2', '10', '15', '17', '19', '20', '22', '23', '24', '25', '26', '27', '28', '29'];
/** The default region of a channel without a country. */
export const DEFAULT_REGION = 'US';

/** All tags together; a tag with spaces includes its quotes. */
export const MAX_TAG_CHARACTERS = 500;

export const API_URL = 'https://www.googleapis.com/youtube/v3';
export const UPLOAD_URL = 'https://www.googleapis.com/upload/youtube/v3/videos';
export const ANALYTICS_URL = 'https://youtubeanalytics.googleapis.com/v2';
export const API_HOST = 'www.googleapis.com';
export const ANALYTICS_HOST = 'youtubeanalytics.googleapis.com';

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
const read = scope('youtube.readonly');
/** From the reference of each method: `channels.list` and `videos.list` read, comments require `force-ssl`, statistics the analytics scope. */
export const features: FeatureScopes = {
  connect: [read],
  publish: [scope('youtube.upload')],
  first_comment: [scope('youtube.force-ssl')],
  find_published: [scope('youtube.upload')],
  choices: [read],
  account_stats: [read, scope('yt-analytics.readonly')],
  post_stats: [read, scope('yt-analytics.readonly')],
  // `youtube.upload` does not allow it.
  unpublish: [scope('youtube.force-ssl')],
};

/** A part is a multiple of 256 KiB; one is in memory at a time. */
export const PART_BYTES = 4 * 1024 * 1024;
/** An upload session lives about a week. One that disappears sooner never became a video. */
export const SESSION_LIFE_MS = 6 * 24 * 3600_000;
/** After this many lost sessions the upload is given up. */
export const MAX_RESTARTS = 3;

/** Waits between polls of the processing; the last one repeats. The video is public meanwhile. */
export const poll = { delaysMs: [5_000, 10_000, 15_000, 20_000], maxPolls: 15 };

/** Time for the last part on a slow connection, and YouTube's processing of it. */
export const COMMIT_TIMEOUT_MS = 90_000;
/** The session knows the result at once, but a last part that was sent late may still arrive. */
export const SETTLE_MS = 15_000;

/** A new video is not known everywhere at once. Three attempts take a minute. */
export const NEW_VIDEO_DELAY_MS = 20_000;
/** Google recommends a backoff that starts at one second. */
export const SLOW_DOWN_DELAY_MS = 1_000;
/** If YouTube's response has no date. */
export const QUOTA_DELAY_MS = 3_600_000;
