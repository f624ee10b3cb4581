import type { PlatformFailure } from '../calls/failure.ts';
import type { GoogleRule } from '../google/google-failure.ts';
import { WINDOW_MS } from './limits.ts';

/** Platform reference 8.4. If no row matches, the HTTP status decides: 400 and 404 are `validation`, 403 is `permission`. */
export const rules: readonly GoogleRule[] = [
  { http: 401, class: 'token_expired' },
  { reasons: ['invalid_grant'], class: 'token_expired' },
  // Business Profile APIs have a quota of 0 until Google has approved the project.
  { http: 429, noQuota: true, class: 'permission', operator: 'api_not_approved' },
  { http: 429, text: /\bquota\b.*\b0\b/i, class: 'permission', operator: 'api_not_approved' },
  { http: 403, reasons: ['SERVICE_DISABLED', 'accessNotConfigured'], class: 'permission', operator: 'api_not_enabled' },
  { http: 403, reasons: ['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED'], class: 'rate_limited', delayMs: WINDOW_MS },
  { status: 'RESOURCE_EXHAUSTED', class: 'rate_limited', delayMs: WINDOW_MS },
  { status: 'ALREADY_EXISTS', class: 'duplicate' },
  // A conflict with another change of the same location. The call had no effect.
  { status: 'ABORTED', class: 'transient' },
  { http: 409, class: 'duplicate' },
];

/** Whether Google rejects an image that it could not fetch from us: its response names no field. */
export const isUnfetched = (failure: PlatformFailure): boolean =>
  failure.class === 'validation' && /fetching (the )?image failed/i.test(failure.message);
