import { joined, type FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

/** Of the card of a link, by LinkedIn's Share API; the Posts API does not say. */
export const MAX_ARTICLE_TITLE = 200;
export const MAX_ARTICLE_DESCRIPTION = 256;

/** Platform reference 3.3. */
export const limits: Limits = {
  // Counted as it is shown. No page of LinkedIn's counts the escapes of little text towards the limit: "little Text Format" calls it a representation of text
  // and attributes, which are what is stored, and a refusal speaks of the "ShareCommentary text length". LinkedIn Help gives people 3,000 characters; refusals
  // of September 2026 name 4,000, which no page does.
  text: { max: 3_000, unit: 'little_text' },
  comment: { max: 1_250, unit: 'code_points' },
  textOnly: true,
  maxMedia: 20,
  mixedMedia: false,
  images: { max: 20, mimeTypes: ['image/jpeg', 'image/png', 'image/gif'], maxPixels: 36_152_319, maxFrames: 250 },
  videos: {
    max: 1,
    mimeTypes: ['video/mp4'],
    minBytes: 75_000,
    maxBytes: 500_000_000,
    minDurationMs: 3_000,
    maxDurationMs: 30 * 60_000,
    minRatio: 1 / 2.4,
    maxRatio: 2.4,
  },
  maxAltTextLength: 4_086,
  variants: [
    {
      when: { article: true },
      limits: { showsLink: 'without_media', linkAlone: true, title: { max: MAX_ARTICLE_TITLE, unit: 'code_points' } },
    },
  ],
};

/**
 * A version lives for about a year, this one until 2027-09-15 (LinkedIn's table of migrations): move on before then. One that has ended, and one that never was,
 * such as that of December 2025, answer 426 `NONEXISTENT_VERSION`.
 */
export const VERSION = '202609';
export const API_URL = 'https://api.linkedin.com/rest';
export const USERINFO_URL = 'https://api.linkedin.com/v2/userinfo';
export const AUTHORIZE_URL = 'https://www.linkedin.com/oauth/v2/authorization';
export const TOKEN_URL = 'https://www.linkedin.com/oauth/v2/accessToken';
export const REVOKE_URL = 'https://www.linkedin.com/oauth/v2/revoke';
/** Uploads go to `www.linkedin.com/dms-uploads/…` or `api.linkedin.com/mediaUpload/…`. */
export const HOSTS = ['api.linkedin.com', 'www.linkedin.com'] as const;

/** Of a member, and of the pages: a login is asked for both. Who may post for a page, LinkedIn tells to `rw_organization_admin`. */
export const memberFeatures: FeatureScopes = {
  connect: ['openid', 'profile'],
  publish: ['w_member_social'],
  first_comment: ['w_member_social_feed'],
  account_stats: ['r_member_profileAnalytics'],
  post_stats: ['r_member_postAnalytics'],
};
export const organizationFeatures: FeatureScopes = {
  connect: ['rw_organization_admin'],
  publish: ['w_organization_social'],
  first_comment: ['w_organization_social_feed'],
  find_published: ['r_organization_social'],
  account_stats: ['rw_organization_admin'],
  post_stats: ['r_organization_social'],
};

export const features = joined(memberFeatures, organizationFeatures);

/** Who may post in a page's name. */
export const PUBLISHING_ROLES = ['ADMINISTRATOR', 'CONTENT_ADMIN', 'CONTENT_ADMINISTRATOR', 'DIRECT_SPONSORED_CONTENT_POSTER'] as const;
/** Pages of a list that we ask for at once, and the most lists of them that we follow. */
export const PAGE_SIZE = 100;
export const MAX_PAGES = 10;

/** LinkedIn cuts videos into parts of 4 MB; one is in memory at a time. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;
/** How often an upload whose address is no longer good begins anew. */
export const MAX_RESTARTS = 3;

/** LinkedIn advises to ask every 10 to 20 seconds, for up to a quarter of an hour. */
export const POLL_MS = 10_000;
export const MAX_POLLS = 90;
/** How long a picture takes that we may not ask about: self-serve apps can write pictures and not read them. */
export const UNREADABLE_WAIT_MS = 20_000;

export const COMMIT_TIMEOUT_MS = 30_000;
/** How soon a page's list of posts shows a new one is not documented. */
export const SETTLE_MS = 30_000;
/** How many posts are read at once to find a lost one. LinkedIn names no maximum here; of its other lists of posts it is this. */
export const SEARCH_SIZE = 50;

/** LinkedIn's quotas end at midnight UTC; bursts, which it does not document, end after minutes. */
export const DAY_MS = 24 * 60 * 60_000;
export const BURST_PAUSE_MS = 5 * 60_000;
