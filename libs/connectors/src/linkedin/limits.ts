import { joined, type FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';

/** Limits of a link card, from LinkedIn's Share API; the Posts API does not document them. */
export const MAX_ARTICLE_TITLE = 200;
export const MAX_ARTICLE_DESCRIPTION = 256;

/** Platform reference 3.3. */
export const limits: Limits = {
  // Counted as shown. No LinkedIn page counts the escapes of little text towards the limit: "little Text Format" calls it a representation of text
  // and attributes, which are what is stored, and an error mentions the "ShareCommentary text length". LinkedIn Help says 3,000 characters; errors
  // of September 2026 say 4,000, which no page does.
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
 * A version lives for about a year, this one until 2027-09-15 (LinkedIn's table of migrations): upgrade before then, or configure a later one. Requests with an
 * expired version, and with one that never existed, such as that of December 2025, are rejected: `isVersionRejection`.
 */
export const VERSION = '202609';
export const VERSION_HEADER = 'linkedin-version';
export const API_URL = 'https://api.linkedin.com/rest';
export const USERINFO_URL = 'https://api.linkedin.com/v2/userinfo';
export const AUTHORIZE_URL = 'https://www.linkedin.com/oauth/v2/authorization';
export const TOKEN_URL = 'https://www.linkedin.com/oauth/v2/accessToken';
export const REVOKE_URL = 'https://www.linkedin.com/oauth/v2/revoke';
/** Uploads go to `www.linkedin.com/dms-uploads/…` or `api.linkedin.com/mediaUpload/…`. */
export const HOSTS = ['api.linkedin.com', 'www.linkedin.com'] as const;

/** For a member and for pages: a login requests both. Reading who may post for a page requires `rw_organization_admin`. */
export const memberFeatures: FeatureScopes = {
  connect: ['openid', 'profile'],
  publish: ['w_member_social'],
  first_comment: ['w_member_social_feed'],
  unpublish: ['w_member_social'],
};
export const organizationFeatures: FeatureScopes = {
  connect: ['rw_organization_admin'],
  publish: ['w_organization_social'],
  first_comment: ['w_organization_social_feed'],
  find_published: ['r_organization_social'],
  account_stats: ['rw_organization_admin'],
  post_stats: ['r_organization_social'],
  unpublish: ['w_organization_social'],
};

export const features = joined(memberFeatures, organizationFeatures);

/** Roles that may post for a page. */
export const PUBLISHING_ROLES = ['ADMINISTRATOR', 'CONTENT_ADMIN', 'CONTENT_ADMINISTRATOR', 'DIRECT_SPONSORED_CONTENT_POSTER'] as const;
/** LinkedIn pages per response, and the maximum number of responses that we follow. */
export const PAGE_SIZE = 100;
export const MAX_PAGES = 10;

/** LinkedIn cuts videos into parts of 4 MB; one is in memory at a time. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;
/** How often an upload is started over because its URL has expired. */
export const MAX_RESTARTS = 3;

/** LinkedIn recommends polling every 10 to 20 seconds, for up to a quarter of an hour. */
export const POLL_MS = 10_000;
export const MAX_POLLS = 90;
/** How long to wait for an image whose status we cannot read: self-serve apps can write images but not read them. */
export const UNREADABLE_WAIT_MS = 20_000;

export const COMMIT_TIMEOUT_MS = 30_000;
/** LinkedIn does not document when a page's list shows a new post. */
export const SETTLE_MS = 30_000;
/** Page size of the search for an ambiguous commit. LinkedIn documents no maximum here; this is that of its other lists of posts. */
export const SEARCH_SIZE = 50;

/** LinkedIn's quotas reset at midnight UTC; its undocumented burst limits end after minutes. */
export const DAY_MS = 24 * 60 * 60_000;
export const BURST_DELAY_MS = 5 * 60_000;
