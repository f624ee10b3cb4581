import { at } from '../calls/fields.ts';
import type { AccountTotals, Audience, PostStatistics } from './reading.ts';

/** The number at `path`: 0 or more, also as text, which some platforms send. Null if there is none: a missing number is unknown, not zero. */
export function countAt(json: unknown, ...path: readonly (string | number)[]): number | null {
  const value = at(json, ...path);
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

/** The sum; null if one of the parts is unknown, or if there are none. */
export function sumOf(parts: readonly (number | null)[]): number | null {
  return parts.length === 0 ? null : parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}

/** The sum of the parts that are known; null if none is. For days of which the last are not there yet. */
export function sumOfKnown(parts: readonly (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
}

/** `part / whole` from 0 to 1; null if one is unknown or the whole is zero. */
export function ratioOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.min(1, part / whole);
}

/** `value * factor`, rounded; null if it is unknown. */
export const scaled = (value: number | null, factor: number): number | null => (value === null ? null : Math.round(value * factor));

export const UNKNOWN_TOTALS: AccountTotals = {
  followers: null,
  following: null,
  postsCount: null,
  impressions: null,
  reach: null,
  profileViews: null,
  websiteClicks: null,
};

export const UNKNOWN_AUDIENCE: Audience = {
  age: null,
  gender: null,
  country: null,
  city: null,
  industry: null,
  seniority: null,
  function: null,
};

export const UNKNOWN_STATISTICS: PostStatistics = {
  likes: null,
  commentCount: null,
  impressions: null,
  shares: null,
  reach: null,
  saves: null,
  clicks: null,
  views: null,
  videoDurationMs: null,
  avgWatchTimeMs: null,
  totalWatchTimeMs: null,
  completionRate: null,
  videoViewsOrganic: null,
  videoViewsPaid: null,
};
