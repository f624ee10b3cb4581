import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';
import { OAUTH_HOST } from '../google/limits.ts';

const MINUTE_MS = 60_000;

/** Maximum length of the title of an event or offer. */
export const MAX_EVENT_TITLE = 58;

/**
 * Platform reference 8.3. Google's schema has several images and videos, but Google rejects them in practice. The title is that of an event or
 * offer. The upper bounds of images are those that vendors document.
 */
export const limits: Limits = {
  text: { max: 1_500, unit: 'code_points' },
  title: { max: MAX_EVENT_TITLE, unit: 'code_points' },
  textOnly: true,
  showsLink: 'always',
  maxMedia: 1,
  mixedMedia: false,
  images: {
    max: 1,
    mimeTypes: ['image/jpeg', 'image/png'],
    minBytes: 10_240,
    maxBytes: 5_000_000,
    minSide: 250,
    maxSide: 10_000,
  },
  videos: { max: 0, mimeTypes: [] },
  // Google requires title and time of an event or offer; the summary is optional (reference of `localPosts`).
  variants: ['EVENT', 'OFFER'].map((topic_type) => ({ when: { topic_type }, limits: { optionsAlone: true } })),
};

/** Only version 4 has posts; accounts and locations are separate services. */
export const POSTS_URL = 'https://mybusiness.googleapis.com/v4';
export const ACCOUNTS_URL = 'https://mybusinessaccountmanagement.googleapis.com/v1';
export const LOCATIONS_URL = 'https://mybusinessbusinessinformation.googleapis.com/v1';
export const PERFORMANCE_URL = 'https://businessprofileperformance.googleapis.com/v1';
export const HOSTS = [
  'businessprofileperformance.googleapis.com',
  'mybusiness.googleapis.com',
  'mybusinessaccountmanagement.googleapis.com',
  'mybusinessbusinessinformation.googleapis.com',
  OAUTH_HOST,
] as const;
/** One scope covers everything. */
const all = ['https://www.googleapis.com/auth/business.manage'];
export const features: FeatureScopes = { connect: all, publish: all, find_published: all, account_stats: all, unpublish: all };

/** The largest page that Google allows, and more pages than any account has. */
export const ACCOUNTS_PAGE = 20;
export const LOCATIONS_PAGE = 100;
export const MAX_PAGES = 50;

/** How long to wait for Google's review of a post: a quarter of an hour. Many pass at once. */
export const poll = { firstMs: 2_000, quickMs: 10_000, quickPolls: 6, slowMs: MINUTE_MS, maxPolls: 20 } as const;

/** Google fetches the image before it responds. */
export const COMMIT_TIMEOUT_MS = 60_000;
export const SETTLE_MS = 20_000;
/** Page size of the search for an ambiguous commit: the most that Google allows. */
export const SEARCH_SIZE = 100;

/** Quotas count requests per minute; Google rarely says for how long one is used up. */
export const WINDOW_MS = MINUTE_MS;
