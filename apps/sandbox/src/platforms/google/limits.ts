export const hosts = { accounts: 'accounts.google.com', oauth: 'oauth2.googleapis.com' };

export const limits = {
  codeSeconds: 600,
  /** Google reports an hour minus a second. */
  accessTokenSeconds: 3599,
  /** A refresh token that is unused for this long expires. */
  refreshIdleSeconds: 183 * 24 * 3600,
} as const;

/** Scopes that every app may request, besides those of its product. */
export const identityScopes = [
  'openid',
  'email',
  'profile',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
];

/** Parameters that all of Google's APIs accept. */
export const systemParameters = ['alt', 'callback', 'fields', 'key', 'prettyPrint', 'quotaUser', '$.xgafv', 'upload_protocol'];
