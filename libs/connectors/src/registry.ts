import type { Connector } from './connector.ts';
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
