/** By `error_type` of a result. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['token_expired', 'the account needs to be reconnected.'],
  ['permission_denied', 'no access. The account is not connected, or does not allow this.'],
  ['validation_failed', 'the platform does not accept the post as it is.'],
  ['rate_limited', 'this account has reached a limit of the platform.'],
  ['duplicate_content', 'the platform already has the same content.'],
  ['media_failed', 'the platform could not use the media.'],
  ['platform_unavailable', 'the platform could not be reached.'],
  ['unknown_outcome', 'unknown. The platform may have the post: check there before you publish it again.'],
]);

/** Why a post was not published, in plain words. */
export const inWords = (errorType: string): string => REASONS.get(errorType) ?? 'it was not published.';
