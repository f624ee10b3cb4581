import type { z } from 'zod';
import type { PretendApp } from '../config.ts';
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

/** Every simulated platform, in alphabetical order. */
export const platforms = {
  facebook,
  google_business: googleBusiness,
  instagram,
  linkedin,
  pinterest,
  tiktok,
  x,
  youtube,
} satisfies Record<PlatformName, Platform>;

const all: readonly Platform[] = Object.values(platforms);

/** What apps of all platforms have beyond id, secret, login and redirect URIs. Only the folder of a platform knows their types. */
export const appFields: Readonly<Record<never, z.ZodType>> = Object.fromEntries(
  all.flatMap(({ appFields: own = {} }) => Object.entries(own)),
);

export const platformNames = Object.keys(platforms) as readonly PlatformName[];

/** The platforms whose apps people remove at Meta. */
export const metaPlatforms: readonly Platform[] = all.filter((one) => one.isMetas);

export const metaApps = (apps: readonly PretendApp[]): PretendApp[] =>
  apps.filter(({ platform }) => metaPlatforms.some(({ name }) => name === platform));
