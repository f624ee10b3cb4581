/** By `error_type` of a result. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['token_expired', 'the account needs to be reconnected.'],
  ['permission_denied', 'no access. The account is not connected, or it does not permit this.'],
  ['validation_failed', 'the post cannot be published there as it is.'],
  ['rate_limited', 'the platform takes no more posts from this account for now.'],
  ['duplicate_content', 'the platform has the same content already.'],
  ['media_failed', 'the platform could not use the media.'],
  ['platform_unavailable', 'the platform could not be reached.'],
  ['unknown_outcome', 'in doubt. The platform may have the post: look there before you publish it again.'],
]);

/** Why a post was not published, in plain words. */
export const inWords = (errorType: string): string => REASONS.get(errorType) ?? 'it was not published.';
