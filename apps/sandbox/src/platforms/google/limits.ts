export const hosts = { accounts: 'accounts.google.com', oauth: 'oauth2.googleapis.com' };

export const limits = {
  codeSeconds: 600,
  /** Google says a second less than the hour. */
  accessTokenSeconds: 3599,
  /** A refresh token that nobody uses for this long is gone. */
  refreshIdleSeconds: 183 * 24 * 3600,
} as const;

/** What every app may ask for, besides the scopes of its product. */
export const identityScopes = [
  'openid',
  'email',
  'profile',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
];

/** Parameters that all of Google's APIs take. */
export const systemParameters = ['alt', 'callback', 'fields', 'key', 'prettyPrint', 'quotaUser', '$.xgafv', 'upload_protocol'];
