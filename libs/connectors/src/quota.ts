import type { Call } from './connector.ts';

/** What a platform allows in a window of time. The engine reserves it before the call, so that calls are not rejected. */
export type Quota = QuotaRule &
  (
    | {
        /** A quota of our app, shared by all organizations. Its window is a calendar day or a minute of the clock, so that the rest can be shared over the rest of the window. */
        readonly of: 'app';
        readonly window: Day | Minute;
      }
    | {
        /** A quota of one account on the platform, in however many businesses it is connected. */
        readonly of: 'account';
        readonly window: Day | { readonly rollingMs: number };
      }
  );

/** From midnight to midnight in this IANA time zone. */
export interface Day {
  readonly dayIn: string;
}

/** A minute of the clock. */
export interface Minute {
  readonly everyMinute: true;
}

interface QuotaRule {
  /** Stable, for settings, logs and metrics: `videos_insert`. With the unit, if it is not a count. */
  readonly name: string;
  /** Absent: there is no limit unless an operator sets one. */
  readonly limit?: number;
  /**
   * `call`: each run of a step uses it, whatever the result. `post`: only a post uses it; the reservation is returned when the delivery
   * certainly ends without a post.
   */
  readonly spentBy: 'call' | 'post';
  /**
   * Reads the platform's own count, if possible: others may post for the account too. `windowMs` if the platform reports its window.
   * @throws PlatformFailure
   */
  read?(call: Call): Promise<{ readonly used: number; readonly limit: number; readonly windowMs?: number }>;
  /** The source of the rule. */
  readonly source: string;
}
