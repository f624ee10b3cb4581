import type { Verdict } from '../report/table.ts';

/** One figure with a target. */
export interface Figure {
  readonly what: string;
  /** With its unit, for people. */
  readonly measured: string;
  /** With its unit, for people. */
  readonly target: string;
  readonly verdict: Verdict;
}
