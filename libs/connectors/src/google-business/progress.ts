import type { Refetches } from '../calls/refetching.ts';
import { progressOf } from '../progress-of.ts';

/** Progress of a delivery to Google Business Profile. */
export interface Progress extends Refetches {
  /** Set by the commit: the post exists, though Google may still reject it. `accounts/A/locations/L/localPosts/P` */
  readonly name?: string;
  /** Google has approved it, or the wait for the review is over. */
  readonly reviewed?: boolean;
  readonly polls?: number;
  readonly postUrl?: string;
  readonly linked?: boolean;
}

export const { readProgress, done } = progressOf<Progress>(({ name }) => name);
