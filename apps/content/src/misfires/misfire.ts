import type { MisfirePolicy } from '@fanfare/contracts/content';

/** How late publications of a business may begin. */
export interface MisfireRules {
  /** The policy of posts that choose none. */
  readonly policy: MisfirePolicy;
  /** A publication that is late by at most this is in time, whatever the policy. */
  readonly thresholdMs: number;
  /** By how much a post may be late and still be published, if its policy is to publish it late. */
  readonly limitMs: number;
}

/** What a due time and the rules mean for one post. */
export interface Lateness {
  readonly policy: MisfirePolicy;
  /** The last moment at which a publication may begin. */
  readonly publishBefore: Date;
  /** Undefined if the post is in time. */
  readonly misfire: 'published_late' | 'skipped' | 'held' | undefined;
}

/**
 * Decides whether a post that is claimed now is in time, is published late, or is too late.
 * @param own the policy of the post; undefined: that of the business
 */
export function latenessOf(dueAt: Date, now: Date, { policy, thresholdMs, limitMs }: MisfireRules, own?: MisfirePolicy): Lateness {
  const applied = own ?? policy;
  const allowedMs = applied === 'MISFIRE_POLICY_PUBLISH_LATE' ? Math.max(thresholdMs, limitMs) : thresholdMs;
  const lateMs = now.getTime() - dueAt.getTime();
  const tooLate = applied === 'MISFIRE_POLICY_SKIP' ? 'skipped' : 'held';
  return {
    policy: applied,
    publishBefore: new Date(dueAt.getTime() + allowedMs),
    misfire: lateMs <= thresholdMs ? undefined : lateMs <= allowedMs ? 'published_late' : tooLate,
  };
}

/** Why a post was not published, for the caller. */
export function tooLateDetail(dueAt: Date, now: Date, { policy }: Lateness, { limitMs }: MisfireRules): string {
  const late = minutes(Math.max(1, Math.floor((now.getTime() - dueAt.getTime()) / 60_000)));
  const why =
    policy === 'MISFIRE_POLICY_PUBLISH_LATE'
      ? `The business publishes posts that are at most ${minutes(limitMs / 60_000)} late.`
      : `Its misfire policy is ${policy === 'MISFIRE_POLICY_SKIP' ? 'skip' : 'hold'}.`;
  return `The post was due at ${dueAt.toISOString()} and could not be published until ${late} later. ${why}`;
}

const minutes = (count: number) => `${count} minute${count === 1 ? '' : 's'}`;
