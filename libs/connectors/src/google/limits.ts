/** Platform reference 7.1; the same for every product of Google's. */
export const AUTHORIZE_URL = 'https://accounts.google.com/o/oauth2/v2/auth';
export const TOKEN_URL = 'https://oauth2.googleapis.com/token';
export const REVOKE_URL = 'https://oauth2.googleapis.com/revoke';
/** Part of `hosts` of every connector that signs in with Google. */
export const OAUTH_HOST = 'oauth2.googleapis.com';

/** When Google limits us and names no time. */
export const LIMITED_DELAY_MS = 60_000;
