import type { z } from 'zod';
import type { AccountKind, CheckCombination, Warn } from './check-content.ts';
import type { Capability } from './connector.ts';
import { capabilitiesIn } from './features.ts';
import type { Limits } from './limits.ts';
import { check as facebookCheck } from './facebook/check.ts';
import { features as facebookFeatures, limits as facebookLimits } from './facebook/limits.ts';
import { options as facebookOptions } from './facebook/options.ts';
import { warn as facebookWarn } from './facebook/warn.ts';
import { check as googleBusinessCheck } from './google-business/check.ts';
import { features as googleBusinessFeatures, limits as googleBusinessLimits } from './google-business/limits.ts';
import { options as googleBusinessOptions } from './google-business/options.ts';
import { warn as googleBusinessWarn } from './google-business/warn.ts';
import { check as instagramCheck } from './instagram/check.ts';
import { features as instagramFeatures, limits as instagramLimits } from './instagram/limits.ts';
import { options as instagramOptions } from './instagram/options.ts';
import { warn as instagramWarn } from './instagram/warn.ts';
import { features as pinterestFeatures, limits as pinterestLimits } from './pinterest/limits.ts';
import { options as pinterestOptions } from './pinterest/options.ts';
import { accountKind as linkedinAccountKind } from './linkedin/account-kind.ts';
import { check as linkedinCheck } from './linkedin/check.ts';
import { features as linkedinFeatures, limits as linkedinLimits } from './linkedin/limits.ts';
import { options as linkedinOptions } from './linkedin/options.ts';
import { warn as linkedinWarn } from './linkedin/warn.ts';
import type { Platform } from './platform.ts';
import { check as tiktokCheck } from './tiktok/check.ts';
import { features as tiktokFeatures, limits as tiktokLimits } from './tiktok/limits.ts';
import { options as tiktokOptions } from './tiktok/options.ts';
import { check as xCheck } from './x/check.ts';
import { warn as tiktokWarn } from './tiktok/warn.ts';
import { features as xFeatures, limits as xLimits } from './x/limits.ts';
import { options as xOptions } from './x/options.ts';
import { warn as xWarn } from './x/warn.ts';
import { check as youtubeCheck } from './youtube/check.ts';
import { features as youtubeFeatures, limits as youtubeLimits } from './youtube/limits.ts';
import { options as youtubeOptions } from './youtube/options.ts';
import type { RuleSubject } from './source-of.ts';

/** What can be said of a post without sending it. */
export interface PlatformRules {
  readonly limits: Limits;
  readonly check?: CheckCombination;
  accountKind?(accountId: string): AccountKind;
  readonly warn?: Warn;
  readonly options: z.ZodObject;
  /** What accounts of it can do here; which of that one of them can, its integration says. */
  readonly capabilities: readonly Capability[];
  /** The covers of a video that it takes, by the fields in which a post gives them. */
  readonly covers?: readonly CoverField[];
  /** The platform's own page about posts. */
  readonly source: string;
  /** Its pages about what that one does not tell, by what a rule is about. */
  readonly sources?: Readonly<Partial<Record<RuleSubject, string>>>;
  /** Its pages about single options, by their names. */
  readonly optionSources?: Readonly<Record<string, string>>;
}

export type CoverField = 'cover_media_id' | 'video_cover_timestamp_ms';

const REELS = 'https://developers.facebook.com/docs/video-api/guides/reels-publishing';
const IG_MEDIA = 'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media';
const TIKTOK_DIRECT_POST = 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post';
const TIKTOK_MEDIA = 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide';
const X_MEDIA = 'https://docs.x.com/x-api/media/quickstart/best-practices';

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
    capabilities: capabilitiesIn(facebookFeatures),
    covers: ['cover_media_id'],
    source: 'https://developers.facebook.com/docs/pages-api/posts',
    sources: { images: 'https://developers.facebook.com/docs/graph-api/reference/page/photos', videos: REELS, options: REELS },
  },
  google_business: {
    limits: googleBusinessLimits,
    check: googleBusinessCheck,
    warn: googleBusinessWarn,
    options: googleBusinessOptions,
    capabilities: capabilitiesIn(googleBusinessFeatures),
    source: 'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts',
  },
  instagram: {
    limits: instagramLimits,
    check: instagramCheck,
    warn: instagramWarn,
    options: instagramOptions,
    capabilities: capabilitiesIn(instagramFeatures),
    covers: ['cover_media_id'],
    source: 'https://developers.facebook.com/docs/instagram-platform/content-publishing',
    sources: { text: IG_MEDIA, images: IG_MEDIA, videos: IG_MEDIA, options: IG_MEDIA },
  },
  linkedin: {
    limits: linkedinLimits,
    accountKind: linkedinAccountKind,
    check: linkedinCheck,
    warn: linkedinWarn,
    options: linkedinOptions,
    capabilities: capabilitiesIn(linkedinFeatures),
    source: 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api',
    sources: { images: 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api' },
  },
  pinterest: {
    limits: pinterestLimits,
    options: pinterestOptions,
    capabilities: capabilitiesIn(pinterestFeatures),
    covers: ['cover_media_id'],
    source: 'https://developers.pinterest.com/docs/api/v5/pins-create',
  },
  tiktok: {
    limits: tiktokLimits,
    check: tiktokCheck,
    warn: tiktokWarn,
    options: tiktokOptions,
    capabilities: capabilitiesIn(tiktokFeatures),
    covers: ['video_cover_timestamp_ms'],
    source: TIKTOK_MEDIA,
    sources: { text: TIKTOK_DIRECT_POST, images: TIKTOK_MEDIA, videos: TIKTOK_MEDIA, options: TIKTOK_DIRECT_POST },
  },
  x: {
    limits: xLimits,
    check: xCheck,
    warn: xWarn,
    options: xOptions,
    capabilities: capabilitiesIn(xFeatures),
    source: 'https://docs.x.com/fundamentals/counting-characters',
    sources: { images: X_MEDIA, videos: X_MEDIA, options: 'https://docs.x.com/x-api/posts/create-post' },
  },
  youtube: {
    limits: youtubeLimits,
    check: youtubeCheck,
    options: youtubeOptions,
    capabilities: capabilitiesIn(youtubeFeatures),
    source: 'https://developers.google.com/youtube/v3/docs/videos',
    sources: { videos: 'https://developers.google.com/youtube/v3/docs/videos/insert' },
    optionSources: { category_id: 'https://developers.google.com/youtube/v3/docs/videoCategories/list' },
  },
};
