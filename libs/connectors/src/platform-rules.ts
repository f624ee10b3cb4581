import type { z } from 'zod';
import type { AccountKind, CheckCombination, Warn } from './check-content.ts';
import type { Capability } from './connector.ts';
import type { Limits } from './limits.ts';
import { check as facebookCheck } from './facebook/check.ts';
import { limits as facebookLimits } from './facebook/limits.ts';
import { options as facebookOptions } from './facebook/options.ts';
import { warn as facebookWarn } from './facebook/warn.ts';
import { check as googleBusinessCheck } from './google-business/check.ts';
import { limits as googleBusinessLimits } from './google-business/limits.ts';
import { options as googleBusinessOptions } from './google-business/options.ts';
import { warn as googleBusinessWarn } from './google-business/warn.ts';
import { check as instagramCheck } from './instagram/check.ts';
import { limits as instagramLimits } from './instagram/limits.ts';
import { options as instagramOptions } from './instagram/options.ts';
import { limits as pinterestLimits } from './pinterest/limits.ts';
import { options as pinterestOptions } from './pinterest/options.ts';
import { accountKind as linkedinAccountKind } from './linkedin/account-kind.ts';
import { check as linkedinCheck } from './linkedin/check.ts';
import { limits as linkedinLimits } from './linkedin/limits.ts';
import { options as linkedinOptions } from './linkedin/options.ts';
import { warn as linkedinWarn } from './linkedin/warn.ts';
import type { Platform } from './platform.ts';
import { check as tiktokCheck } from './tiktok/check.ts';
import { limits as tiktokLimits } from './tiktok/limits.ts';
import { options as tiktokOptions } from './tiktok/options.ts';
import { check as xCheck } from './x/check.ts';
import { warn as tiktokWarn } from './tiktok/warn.ts';
import { limits as xLimits } from './x/limits.ts';
import { options as xOptions } from './x/options.ts';
import { limits as youtubeLimits } from './youtube/limits.ts';
import { options as youtubeOptions } from './youtube/options.ts';

/** What can be said of a post without sending it. */
export interface PlatformRules {
  readonly limits: Limits;
  readonly check?: CheckCombination;
  accountKind?(accountId: string): AccountKind;
  readonly warn?: Warn;
  readonly options: z.ZodObject;
  /** What accounts of it can do here; which of that one of them can, its integration says. */
  readonly capabilities: readonly Capability[];
  /** The platform's own page about its limits. */
  readonly source: string;
}

const stats = ['account_stats', 'post_stats'] as const;
const all = ['publish', 'first_comment', ...stats] as const;

/**
 * The connectors' own tables, by platform. Apart from the connectors, so that who only checks a post (content, the gateway, a web page) does not load
 * what publishes it.
 */
export const platformRules: Readonly<Partial<Record<Platform, PlatformRules>>> = {
  facebook: {
    limits: facebookLimits,
    check: facebookCheck,
    warn: facebookWarn,
    options: facebookOptions,
    capabilities: all,
    source: 'https://developers.facebook.com/docs/pages-api/posts',
  },
  google_business: {
    limits: googleBusinessLimits,
    check: googleBusinessCheck,
    warn: googleBusinessWarn,
    options: googleBusinessOptions,
    capabilities: ['publish', 'account_stats'],
    source: 'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts',
  },
  instagram: {
    limits: instagramLimits,
    check: instagramCheck,
    options: instagramOptions,
    capabilities: all,
    source: 'https://developers.facebook.com/docs/instagram-platform/content-publishing',
  },
  linkedin: {
    limits: linkedinLimits,
    accountKind: linkedinAccountKind,
    check: linkedinCheck,
    warn: linkedinWarn,
    options: linkedinOptions,
    capabilities: all,
    source: 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api',
  },
  pinterest: {
    limits: pinterestLimits,
    options: pinterestOptions,
    capabilities: ['publish', ...stats],
    source: 'https://developers.pinterest.com/docs/api/v5/pins-create',
  },
  tiktok: {
    limits: tiktokLimits,
    check: tiktokCheck,
    warn: tiktokWarn,
    options: tiktokOptions,
    capabilities: ['publish', ...stats, 'drafts'],
    source: 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide',
  },
  x: {
    limits: xLimits,
    check: xCheck,
    options: xOptions,
    capabilities: all,
    source: 'https://docs.x.com/fundamentals/counting-characters',
  },
  youtube: {
    limits: youtubeLimits,
    options: youtubeOptions,
    capabilities: all,
    source: 'https://developers.google.com/youtube/v3/docs/videos',
  },
};
