import { aboutOption, listedAt } from '../checks/about-option.ts';
import { type GoogleRule, googleFailure } from '../google/google-failure.ts';
import { PlatformFailure } from '../calls/failure.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { NEW_VIDEO_DELAY_MS, SLOW_DOWN_DELAY_MS } from './limits.ts';
import { untilMidnightPacific } from './until-midnight-pacific.ts';

/** Platform reference 7.4: the reason decides, whatever the status. Otherwise the status decides. */
export const rules: readonly GoogleRule[] = [
  // A Google login without a channel: a fresh token does not help.
  { reasons: ['youtubeSignupRequired'], class: 'permission' },
  { reasons: ['authError'], class: 'token_expired' },
  // The quota belongs to our project: it is used up for every channel at once.
  { reasons: ['quotaExceeded', 'dailyLimitExceeded'], class: 'rate_limited', delayMs: untilMidnightPacific, operator: 'quota_exceeded' },
  { reasons: ['uploadLimitExceeded'], class: 'rate_limited', delayMs: untilMidnightPacific },
  { reasons: ['rateLimitExceeded', 'userRateLimitExceeded'], class: 'rate_limited', delayMs: SLOW_DOWN_DELAY_MS },
  { http: 429, class: 'rate_limited', delayMs: SLOW_DOWN_DELAY_MS },
  { reasons: ['insufficientPermissions', 'forbidden', 'accountClosed'], class: 'permission' },
  {
    reasons: [
      'invalidTitle',
      'invalidDescription',
      'invalidTags',
      'invalidCategoryId',
      'invalidPublishAt',
      'invalidVideoMetadata',
      'mediaBodyRequired',
      'imageFormatUnsupported',
      'imageTooTall',
      'imageTooWide',
    ],
    class: 'validation',
  },
  { reasons: ['videoNotFound'], class: 'transient', effect: 'rejected', delayMs: NEW_VIDEO_DELAY_MS },
];

/** Classifies an unsuccessful response of YouTube. */
export function youtubeFailure(response: PlatformResponse): PlatformFailure {
  const failure = googleFailure(response, rules);
  const { effect, detail, message } = failure;
  if (detail['reason'] !== 'invalidCategoryId') return failure;
  return new PlatformFailure(failure.class, aboutOption('category_id', message, listedAt('category_id')), { effect, detail });
}
