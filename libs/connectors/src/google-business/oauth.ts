import type { GrantedAccount, OAuth, Tokens } from '../oauth.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { exchangeGoogleCode, loginUrl, refreshGoogleTokens, revokeGoogleTokens, revokes } from '../google/google-login.ts';
import { features } from './limits.ts';
import { listLocations } from './locations.ts';

/**
 * Google's login; every location that can have posts is an account. Google revokes the whole login, and with it the access to its other locations.
 */
export const oauth: OAuth = {
  features,
  pkce: true,
  authorizeUrl: loginUrl(features),
  async exchangeCode(http, app, request) {
    const { tokens, person } = await exchangeGoogleCode(http, app, request);
    const { open, closed } = await listLocations(http, tokens.accessToken);
    if (open.length === 0) throw noLocation(closed);
    return open.map((location) => ({ ...grantedAccount(location, tokens), ...person }));
  },
  refresh: (http, app, { tokens }) => refreshGoogleTokens(http, app, tokens),
  revokes,
  revoke: (http, _app, { tokens }) => revokeGoogleTokens(http, tokens),
};

function grantedAccount(
  { name, title, storeCode }: { name: string; title: string; storeCode?: string | undefined },
  tokens: Tokens,
): GrantedAccount {
  return { accountId: name, username: storeCode ?? title, displayName: title, page: title, tokens };
}

function noLocation(closed: readonly string[]): PlatformFailure {
  const named = closed.length > 0 ? ` Google does not accept posts for ${closed.join(', ')}. Check that the profile is verified.` : '';
  return new PlatformFailure('permission', `This login manages no location that can publish posts.${named}`, {
    effect: 'rejected',
  });
}
