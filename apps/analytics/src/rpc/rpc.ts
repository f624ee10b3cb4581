import { AnalyticsServiceService } from '@fanfare/contracts/analytics';
import { ErasureServiceService } from '@fanfare/contracts/erasure';
import type { Handlers } from '@fanfare/rpc';
import type { AccountFinder } from '../live/known-account.ts';
import type { LiveReader } from '../live/live-reader.ts';
import type { Context } from '../context.ts';

/** The methods that this service serves. */
export const served = { ...AnalyticsServiceService, ...ErasureServiceService };

/** What handlers get in addition to the context. */
export interface Readers extends Context {
  readonly findAccount: AccountFinder;
  readonly live: LiveReader;
}

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof served> = (readers: Readers) => Handlers<typeof served>[M];
