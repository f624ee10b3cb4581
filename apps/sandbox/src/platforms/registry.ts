import { facebook } from './facebook/index.ts';
import { googleBusiness } from './google-business/index.ts';
import { instagram } from './instagram/index.ts';
import { linkedin } from './linkedin/index.ts';
import { pinterest } from './pinterest/index.ts';
import type { Platform } from './platform.ts';
import type { PlatformName } from './platform-name.ts';
import { tiktok } from './tiktok/index.ts';
import { x } from './x/index.ts';
import { youtube } from './youtube/index.ts';

export const platforms = { facebook, google_business: googleBusiness, instagram, linkedin, pinterest, tiktok, x, youtube } satisfies Record<
  PlatformName,
  Platform
>;

/** Instagram's operations that share graph.facebook.com recognise their own ids, so they are asked before Facebook's. */
export const lookupOrder: readonly Platform[] = [instagram, facebook, googleBusiness, linkedin, pinterest, tiktok, x, youtube];
