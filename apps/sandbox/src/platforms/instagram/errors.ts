import { reject } from '../graph/errors.ts';

/** Content publishing errors: [code, subcode, HTTP status, title, message], after Meta's error-codes page. */
const rows = {
  not_fetched: [9004, 2_207_052, 400, 'Media URI not fetchable', 'The media could not be fetched from this URI.'],
  download_timeout: [-2, 2_207_003, 400, 'Timeout', 'It takes too long to download the media.'],
  image_too_large: [36_000, 2_207_004, 400, 'Image too large', 'The image is too large to download. It should be less than 8 MiB.'],
  image_format: [36_001, 2_207_005, 400, 'Unsupported image format', 'The image format is not supported. It should be JPEG.'],
  image_ratio: [
    36_003,
    2_207_009,
    400,
    'Invalid aspect ratio',
    'The submitted image has an invalid aspect ratio. It should be within 4:5 to 1.91:1.',
  ],
  caption_too_long: [
    36_004,
    2_207_010,
    400,
    'Caption too long',
    'The submitted caption is too long. It should be at most 2,200 characters.',
  ],
  media_type: [100, 2_207_023, 400, 'Unknown media type', 'The media type is unknown or does not fit the parameters.'],
  carousel_count: [
    100,
    2_207_028,
    400,
    'Invalid carousel',
    'The carousel needs at least 2 and at most 10 children that are carousel items.',
  ],
  too_many_tags: [100, 2_207_040, 400, 'Too many tags', 'A caption may have 30 hashtags and 20 mentions.'],
  not_ready: [9007, 2_207_027, 400, 'Media ID is not available', 'The media is not ready for publishing, please wait for a moment.'],
  container_unknown: [
    24,
    2_207_008,
    400,
    'Media builder expired',
    'The media builder with this creation id does not exist or has expired.',
  ],
  container_expired: [-2, 2_207_020, 400, 'Media expired', 'The media that you are trying to access has expired. Please upload it again.'],
  create_failed: [-1, 2_207_032, 400, 'Create media failed', 'Create media failed, please try to re-create the media.'],
  quota: [
    9,
    2_207_042,
    403,
    'Application request limit reached',
    'You have reached the maximum number of posts that is allowed to be published by the Content Publishing API.',
  ],
} as const satisfies Record<string, readonly [number, number, number, string, string]>;

export function rejectMedia(reason: keyof typeof rows) {
  const [code, subcode, status, title, userMessage] = rows[reason];
  return reject({ message: userMessage, code, subcode, status, title, userMessage });
}
