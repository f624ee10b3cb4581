/** The reasons by the `error_type` of a result. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['token_expired', 'the account needs to be reconnected.'],
  ['permission_denied', 'the account is not connected, or does not permit this.'],
  ['validation_failed', 'the platform does not accept the post in this form.'],
  ['rate_limited', 'the account has reached a limit of the platform.'],
  ['duplicate_content', 'the platform already has the same content.'],
  ['media_failed', 'the platform could not process the media.'],
  ['platform_unavailable', 'the platform is unavailable.'],
  ['primary_failed', 'the post goes to another account first, and was not published there.'],
  ['other_target_failed', 'the post goes to all of its accounts or to none, and another one failed.'],
  ['too_late', 'it could not be sent in time.'],
  ['unknown_outcome', 'unknown. The platform may have the post: check there before you publish it again.'],
]);

/** Why a post was not published, in words for people. */
export const inWords = (errorType: string): string => REASONS.get(errorType) ?? 'it was not published.';
