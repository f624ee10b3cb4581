import type { Account, Call } from '../connector.ts';

/**
 * The read side of a connector: a connected account, its posts and their statistics. Nothing here changes anything at the
 * platform, so every call may be repeated. Null is unknown, never zero.
 */
export interface Reading {
  readonly rules: ReadingRules;
  /** Why the platform provides nothing about an account, one sentence for people. Call it before reading. Absent if the platform provides statistics for all accounts. */
  lack?(account: Pick<Account, 'accountId'>): string | undefined;
  /**
   * Reads the statistics of an account over a range of days. Ranges that are longer than the platform allows in one call are split and joined.
   * @throws PlatformFailure
   */
  readAccount(call: ReadCall, wanted: AccountWanted): Promise<AccountStatistics>;
  /**
   * Lists the posts of the account, newest first, including posts that Fanfare did not publish.
   * @throws PlatformFailure `validation`, with `detail.param` `cursor`, if the cursor does not come from this list
   */
  listPosts(call: ReadCall, wanted: PostsWanted): Promise<PostPage>;
  /**
   * Reads posts of the account by the platform's ids, at most `rules.postsPerCall` of them. Posts that do not exist, or belong to another account, are
   * absent from the result.
   * @throws PlatformFailure
   */
  readPosts(call: ReadCall, publishIds: readonly string[]): Promise<readonly PlatformPost[]>;
}

export interface ReadCall extends Call {
  /** A connector has no clock. */
  readonly now: Date;
  /** The current day in the time zone of `rules`. */
  readonly today: string;
  /** The granted scopes, as the platform names them. */
  readonly scopes: readonly string[];
}

/** What callers can request, as data: `GET /api/platforms` lists it, and requests are checked against it. */
export interface ReadingRules {
  /** The platform's own names, in the order in which responses list them. Empty if accounts have no metrics over time. */
  readonly metrics: readonly Metric[];
  /** The names in `rawMetrics` that are no metrics over time. */
  readonly rawMetrics?: readonly Pick<Metric, 'name' | 'description' | 'unit'>[];
  readonly periods: readonly Period[];
  /** The days that one call of the platform covers. */
  readonly daysPerCall: number;
  /** For how many days the platform keeps statistics. */
  readonly keptDays: number;
  /** The time zone of the platform's days, IANA. */
  readonly timeZone: string;
  /** After how many days the statistics of a day are complete. */
  readonly settledDays: number;
  /** How many posts `readPosts` takes. */
  readonly postsPerCall: number;
  /** The longest page of `listPosts`. */
  readonly pageSize: number;
  /** The breakdowns of an account's audience that the platform provides; absent if it provides none. */
  readonly audience?: readonly (keyof Audience)[];
  /** How long a response of the platform stays current, in seconds: statistics do not change more often. */
  readonly freshSeconds: number;
  /** The platform provides no statistics of single posts. */
  readonly hasNoPostStatistics?: true;
  /** The platform charges for each read. */
  readonly chargesForReads?: true;
}

export interface Metric {
  /** The platform's own name, as in `metrics` of a request. */
  readonly name: string;
  /** For people, one sentence. */
  readonly description: string;
  /** A count if absent. `ratio`: from 0 to 1. */
  readonly unit?: 'seconds' | 'minutes' | 'percent' | 'ratio';
  /** Values of several days do not add up, so that it is not in `rawMetrics`. */
  readonly hasNoTotal?: true;
  /** Not read unless a request names it. */
  readonly isOptional?: true;
}

export const PERIODS = ['day', 'week', 'days_28', 'lifetime'] as const;
export type Period = (typeof PERIODS)[number];

/** Days of the platform's time zone, `YYYY-MM-DD`, both included. */
export interface DayRange {
  readonly start: string;
  readonly end: string;
}

export interface AccountWanted extends DayRange {
  readonly period: Period;
  /** Names of `rules.metrics`, without repetition. */
  readonly metrics: readonly string[];
}

export interface AccountStatistics extends AccountTotals {
  readonly audience: Audience;
  readonly series: readonly Series[];
  /** Totals over the range, or the latest value, by the platform's own names. */
  readonly rawMetrics: Readonly<Record<string, number | null>>;
  /** Why statistics are missing, one sentence for people each. Empty if none are missing. */
  readonly unavailable: readonly string[];
}

/** Followers, following and the number of posts are those of now; the others are those of the range. */
export interface AccountTotals {
  readonly followers: number | null;
  readonly following: number | null;
  readonly postsCount: number | null;
  readonly impressions: number | null;
  readonly reach: number | null;
  readonly profileViews: number | null;
  readonly websiteClicks: number | null;
}

/** Shares of an audience by bucket, from 0 to 1 with four digits; null if the platform does not provide them. */
export type Shares = Readonly<Record<string, number>> | null;

export interface Audience {
  readonly age: Shares;
  /** `FEMALE`, `MALE`, `UNKNOWN`. */
  readonly gender: Shares;
  /** ISO 3166-1 alpha-2. */
  readonly country: Shares;
  readonly city: Shares;
  readonly industry: Shares;
  readonly seniority: Shares;
  readonly function: Shares;
}

export interface Series {
  readonly name: string;
  /** `range`: the platform has only a total over the whole range, which is the one value. */
  readonly period: Period | 'range';
  /** Oldest first. `endTime` is the instant at which the last day of the period ends in the time zone of `rules`: the first instant of the next day. */
  readonly values: readonly { readonly endTime: Date; readonly value: number | null }[];
}

export interface PostsWanted {
  readonly from?: Date | undefined;
  /** Excluded. */
  readonly until?: Date | undefined;
  /** From 1 to `rules.pageSize`. */
  readonly pageSize: number;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface PostPage {
  readonly posts: readonly PlatformPost[];
  /** The platform's own cursor; absent on the last page. */
  readonly next?: string;
  /** Null if the platform does not count. */
  readonly totalCount: number | null;
  /** Why posts or their statistics are missing. */
  readonly unavailable?: string;
}

/** A post as the platform has it. Texts that it does not have are empty. */
export interface PlatformPost {
  readonly publishId: string;
  readonly createdAt: Date | null;
  readonly caption: string;
  readonly title: string;
  readonly permalinkUrl: string;
  readonly thumbnailUrl: string;
  /** The first of `mediaUrls`. */
  readonly mediaUrls: readonly string[];
  readonly altText: string;
  readonly mediaType: 'image' | 'video' | 'album' | 'text' | 'link' | '';
  /** The platform's own name of its kind. */
  readonly type: string;
  readonly stats: PostStatistics;
  /** Why statistics of the post are missing, one sentence for people. */
  readonly unavailable?: string;
}

/** Statistics of a post since it was published. Times in milliseconds; rates from 0 to 1. */
export interface PostStatistics {
  readonly likes: number | null;
  readonly commentCount: number | null;
  readonly impressions: number | null;
  readonly shares: number | null;
  readonly reach: number | null;
  readonly saves: number | null;
  readonly clicks: number | null;
  readonly views: number | null;
  readonly videoDurationMs: number | null;
  readonly avgWatchTimeMs: number | null;
  readonly totalWatchTimeMs: number | null;
  readonly completionRate: number | null;
  readonly videoViewsOrganic: number | null;
  readonly videoViewsPaid: number | null;
}
