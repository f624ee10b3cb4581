import type { Call } from './connector.ts';

/** How much of something a platform lets us do in a window of time. The engine holds it before the call, so that it is not discovered by a refusal. */
export type Quota = QuotaRule &
  (
    | {
        /** Our app's, shared by all organizations: a calendar day, so that it can be shared out over what is left of it. */
        readonly of: 'app';
        readonly window: Day;
      }
    | {
        /** One account's on the platform, in however many businesses it is connected. */
        readonly of: 'account';
        readonly window: Day | { readonly rollingMs: number };
      }
  );

/** From midnight to midnight in this IANA time zone. */
export interface Day {
  readonly dayIn: string;
}

interface QuotaRule {
  /** Stable, for settings, logs and metrics: `videos_insert`. With the unit, where it is not a count. */
  readonly name: string;
  /** Absent: there is none but what an operator sets. */
  readonly limit?: number;
  /**
   * `call`: each run of a step that spends uses it up, whatever comes of it. `post`: only a post does; what was held is given back when the delivery
   * surely ends without one.
   */
  readonly spentBy: 'call' | 'post';
  /**
   * What the platform itself counts, where it can be asked: others may post for the account too. `windowMs` where it says how long its window is.
   * @throws PlatformFailure
   */
  read?(call: Call): Promise<{ readonly used: number; readonly limit: number; readonly windowMs?: number }>;
  /** Where the rule comes from. */
  readonly source: string;
}
