import type { Effect, FailureClass } from '../calls/failure.ts';
import { BLOCKED_DELAY_MS } from './limits.ts';

/** One row of an error table. All given members must match; the first matching row decides. */
export interface GraphRule {
  /** Fits the error's code or its subcode. */
  readonly numbers?: readonly number[];
  /** Fits the error's code, from and to included. */
  readonly codes?: readonly [number, number];
  readonly text?: RegExp;
  /** The call was on the account's own node (`/{account}/…`), not on something of it. */
  readonly onAccount?: boolean;
  /** The platform calls it transient. */
  readonly transient?: boolean;
  readonly class: FailureClass;
  /** The effect of the call; `rejected` by default. */
  readonly effect?: Effect;
  readonly delayMs?: number;
}

/** Rows that apply to all of the Graph API (platform reference 1.4). */
export const graphRules: readonly GraphRule[] = [
  // The wrong kind of token: our mistake, and no reason to ask a person to reconnect.
  { numbers: [190], text: /page access token/i, class: 'validation' },
  { numbers: [190, 102, 458, 459, 460, 463, 464, 467, 492], class: 'token_expired' },
  { numbers: [368, 1390008, 1404112], class: 'rate_limited', delayMs: BLOCKED_DELAY_MS },
  { numbers: [4, 17, 32, 613, 80001, 80002], class: 'rate_limited' },
  { numbers: [506, 1366051], class: 'duplicate' },
  { numbers: [1363040, 1363127, 1363128, 1363129], class: 'media_processing_failed' },
  { numbers: [1404078, 4854002], class: 'permission' },
  { numbers: [1346003, 1404102, 341, 3001, 1504028], class: 'validation' },
  { numbers: [1609005, 1609008, 2061006, 1349125, 1366046, 2069019], class: 'validation' },
  { codes: [36000, 36999], class: 'validation' },
  // "Unknown" and "service unavailable" leave open whether it was done.
  { numbers: [1363047, 1609010], class: 'transient', effect: 'unknown' },
  { codes: [1, 2], class: 'transient', effect: 'unknown' },
  { transient: true, class: 'transient', effect: 'unknown' },
  { numbers: [3, 10], class: 'permission' },
  { codes: [200, 299], class: 'permission' },
  { numbers: [12, 100], class: 'validation' },
];
