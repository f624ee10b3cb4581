import type { FeatureScopes } from '../features.ts';
import type { Limits } from '../limits.ts';
import { OAUTH_HOST } from '../google/limits.ts';

const MINUTE_MS = 60_000;

/** Of an event's or offer's title. */
export const MAX_EVENT_TITLE = 58;

/**
 * Platform reference 8.3. More than one picture, and videos, are in Google's schema, but are refused in practice. The title is an event's or an
 * offer's. A picture's upper bounds are those that vendors name.
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
  // Of an event, and of an offer, Google asks for its title and time; the summary is optional (reference of `localPosts`).
  variants: ['EVENT', 'OFFER'].map((topic_type) => ({ when: { topic_type }, limits: { optionsAlone: true } })),
};

/** Posts are in version 4 alone, accounts and locations in services of their own. */
export const POSTS_URL = 'https://mybusiness.googleapis.com/v4';
export const ACCOUNTS_URL = 'https://mybusinessaccountmanagement.googleapis.com/v1';
export const LOCATIONS_URL = 'https://mybusinessbusinessinformation.googleapis.com/v1';
export const HOSTS = [
  'mybusiness.googleapis.com',
  'mybusinessaccountmanagement.googleapis.com',
  'mybusinessbusinessinformation.googleapis.com',
  OAUTH_HOST,
] as const;
/** One scope is for all of it. */
const all = ['https://www.googleapis.com/auth/business.manage'];
export const features: FeatureScopes = { connect: all, publish: all, find_published: all, account_stats: all };

/** As many to a page as Google gives, and more pages than anybody has. */
export const ACCOUNTS_PAGE = 20;
export const LOCATIONS_PAGE = 100;
export const MAX_PAGES = 50;

/** How long Google's review of a post is waited for: a quarter of an hour. Many are through it at once. */
export const poll = { firstMs: 2_000, quickMs: 10_000, quickPolls: 6, slowMs: MINUTE_MS, maxPolls: 20 } as const;

/** Google fetches the picture before it answers. */
export const COMMIT_TIMEOUT_MS = 60_000;
export const SETTLE_MS = 20_000;
/** How many of the location's posts are read at once to find a lost one: the most that Google gives. */
export const SEARCH_SIZE = 100;

/** Quotas count requests a minute; Google rarely says for how long one is used up. */
export const WINDOW_MS = MINUTE_MS;
