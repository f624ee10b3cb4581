import { type ErrorRow, type Errors, HOUR, row, SECOND } from '../../../test/errors.ts';
import { googleError } from '../../google/test/errors.ts';

const youtubeRow = (status: number, reason: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}) =>
  row(status, googleError(status, { errors: [{ domain: 'youtube', reason, message: 'In words' }] }), ends, more);
const californianMorning = { headers: { date: 'Sat, 21 Nov 2026 22:00:00 GMT' }, waitMs: 10 * HOUR };

export const errors: Errors = {
  commit: { operation: 'youtube.upload_last_part', media: 'reel', options: { privacy_status: 'public' } },
  rows: [
    youtubeRow(401, 'authError', 'token_expired'),
    row(401, googleError(401, { status: 'UNAUTHENTICATED' }), 'token_expired'),
    youtubeRow(401, 'youtubeSignupRequired', 'permission'),
    ...['insufficientPermissions', 'forbidden', 'accountClosed'].map((reason) => youtubeRow(403, reason, 'permission')),
    ...[
      'invalidTitle',
      'invalidDescription',
      'invalidTags',
      'invalidCategoryId',
      'invalidPublishAt',
      'invalidVideoMetadata',
      'mediaBodyRequired',
    ].map((reason) => youtubeRow(400, reason, 'validation')),
    ...['imageFormatUnsupported', 'imageTooTall', 'imageTooWide'].map((reason) => youtubeRow(400, reason, 'validation')),
    youtubeRow(413, 'uploadTooLarge', 'validation'),
    ...[400, 403].map((status) => youtubeRow(status, 'uploadLimitExceeded', 'waits', californianMorning)),
    ...['quotaExceeded', 'dailyLimitExceeded'].map((reason) => youtubeRow(403, reason, 'waits', californianMorning)),
    ...['rateLimitExceeded', 'userRateLimitExceeded'].map((reason) => youtubeRow(403, reason, 'waits', { waitMs: SECOND })),
    youtubeRow(429, 'tooMany', 'waits', { waitMs: SECOND }),
    ...[500, 502, 503, 504].map((status) => youtubeRow(status, 'backendError', 'reconciles')),
  ],
};
