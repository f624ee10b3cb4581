import type { z } from 'zod';
import type { Limits } from './limits.ts';
import { limits as facebookLimits } from './facebook/limits.ts';
import { options as facebookOptions } from './facebook/options.ts';
import { limits as googleBusinessLimits } from './google-business/limits.ts';
import { options as googleBusinessOptions } from './google-business/options.ts';
import { limits as instagramLimits } from './instagram/limits.ts';
import { options as instagramOptions } from './instagram/options.ts';
import { limits as pinterestLimits } from './pinterest/limits.ts';
import { options as pinterestOptions } from './pinterest/options.ts';
import { limits as linkedinLimits } from './linkedin/limits.ts';
import { options as linkedinOptions } from './linkedin/options.ts';
import type { Platform } from './platform.ts';
import { limits as tiktokLimits } from './tiktok/limits.ts';
import { options as tiktokOptions } from './tiktok/options.ts';
import { limits as xLimits } from './x/limits.ts';
import { options as xOptions } from './x/options.ts';
import { limits as youtubeLimits } from './youtube/limits.ts';
import { options as youtubeOptions } from './youtube/options.ts';

/** What can be said of a post without sending it. */
export interface PlatformRules {
  readonly limits: Limits;
  readonly options: z.ZodObject;
  /** The platform's own page about its limits. */
  readonly source: string;
}

/**
 * The connectors' own tables, by platform. Apart from the connectors, so that who only checks a post (content, the gateway, a web page) does not load
 * what publishes it.
 */
export const platformRules: Readonly<Partial<Record<Platform, PlatformRules>>> = {
  facebook: { limits: facebookLimits, options: facebookOptions, source: 'https://developers.facebook.com/docs/pages-api/posts' },
  google_business: {
    limits: googleBusinessLimits,
    options: googleBusinessOptions,
    source: 'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts',
  },
  instagram: {
    limits: instagramLimits,
    options: instagramOptions,
    source: 'https://developers.facebook.com/docs/instagram-platform/content-publishing',
  },
  linkedin: {
    limits: linkedinLimits,
    options: linkedinOptions,
    source: 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api',
  },
  pinterest: {
    limits: pinterestLimits,
    options: pinterestOptions,
    source: 'https://developers.pinterest.com/docs/api/v5/pins-create',
  },
  tiktok: {
    limits: tiktokLimits,
    options: tiktokOptions,
    source: 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide',
  },
  x: { limits: xLimits, options: xOptions, source: 'https://docs.x.com/fundamentals/counting-characters' },
  youtube: { limits: youtubeLimits, options: youtubeOptions, source: 'https://developers.google.com/youtube/v3/docs/videos' },
};
