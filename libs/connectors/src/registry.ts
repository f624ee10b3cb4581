import type { Connector, LoginName, OAuth } from './connector.ts';
import { facebook } from './facebook/index.ts';
import { googleBusiness } from './google-business/index.ts';
import { instagram } from './instagram/index.ts';
import { linkedin } from './linkedin/index.ts';
import { pinterest } from './pinterest/index.ts';
import type { Platform } from './platform.ts';
import { tiktok } from './tiktok/index.ts';
import { x } from './x/index.ts';
import { youtube } from './youtube/index.ts';

/** Every platform that we can publish to. */
export const connectors = {
  facebook,
  google_business: googleBusiness,
  instagram,
  linkedin,
  pinterest,
  tiktok,
  x,
  youtube,
} satisfies Partial<Record<Platform, Connector>>;

/** @throws TypeError for a platform without a connector: callers offer only those of `connectors` */
export function connectorFor(platform: Platform): Connector {
  const connector = (connectors as Partial<Record<Platform, Connector>>)[platform];
  if (!connector) throw new TypeError(`there is no connector for ${platform}`);
  return connector;
}

/** How people sign in; by the way that is named, where the platform has several, and by its usual one otherwise. */
export function oauthOf(platform: Platform, login?: LoginName): OAuth {
  const { oauth, logins } = connectorFor(platform);
  return (login && logins?.[login]) ?? oauth;
}

/** The ways to sign in, the usual one first; none where there is one way alone. */
export function loginNamesOf(platform: Platform): readonly LoginName[] {
  return Object.keys(connectorFor(platform).logins ?? {}) as LoginName[];
}
