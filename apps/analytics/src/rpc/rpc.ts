import type { AnalyticsServiceService } from '@fanfare/contracts/analytics';
import type { Handlers } from '@fanfare/rpc';
import type { AccountFinder } from '../live/known-account.ts';
import type { LiveReader } from '../live/live-reader.ts';
import type { Context } from '../context.ts';

/** What handlers get in addition to the context. */
export interface Readers extends Context {
  readonly findAccount: AccountFinder;
  readonly live: LiveReader;
}

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof AnalyticsServiceService> = (readers: Readers) => Handlers<typeof AnalyticsServiceService>[M];
