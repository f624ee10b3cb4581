import type { Account, Connector } from './connector.ts';
import type { LoginName, OAuth, OAuthApp } from './oauth.ts';
import { facebook } from './facebook/index.ts';
import { googleBusiness } from './google-business/index.ts';
import { instagram } from './instagram/index.ts';
import { linkedin } from './linkedin/index.ts';
import { pinterest } from './pinterest/index.ts';
import type { Platform } from './platform.ts';
import { tiktok } from './tiktok/index.ts';
import { x } from './x/index.ts';
import { youtube } from './youtube/index.ts';

/** All connectors, by platform. */
export const connectors = {
  facebook,
  google_business: googleBusiness,
  instagram,
  linkedin,
  pinterest,
  tiktok,
  x,
  youtube,
} satisfies Record<Platform, Connector>;

/** @throws TypeError for an unknown platform */
export function connectorFor(platform: Platform): Connector {
  const connector = (connectors as Partial<Record<Platform, Connector>>)[platform];
  if (!connector) throw new TypeError(`there is no connector for ${platform}`);
  return connector;
}

/** The OAuth flow of a login; of the platform's default login if none is named. */
export function oauthOf(platform: Platform, login?: LoginName): OAuth {
  const { oauth, logins } = connectorFor(platform);
  return (login === undefined ? undefined : logins?.[login]) ?? oauth;
}

/** An account with all that calls for it require. @param app that the token was issued to */
export function accountOf(platform: Platform, app: OAuthApp, account: Pick<Account, 'accountId' | 'username' | 'accessToken'>): Account {
  const tokenProof = oauthOf(platform, app.login).prove?.(app, account.accessToken);
  return { ...account, ...(app.login !== undefined && { login: app.login }), ...(tokenProof !== undefined && { tokenProof }) };
}
