import type { State, StepResult } from '../connector.ts';

/** Where a delivery to a Google Business Profile stands. */
export interface Progress {
  /** Set by the commit: there is a post, though Google may yet refuse to show it. `accounts/A/locations/L/localPosts/P` */
  readonly name?: string;
  /** Google has decided to show it, or nobody waits for that any more. */
  readonly reviewed?: boolean;
  readonly polls?: number;
  readonly postUrl?: string;
  readonly linked?: boolean;
}

export function readProgress(state: State): Progress {
  return state;
}

export function done(progress: Progress, waitMs?: number): StepResult {
  const { name: publishId } = progress;
  return { state: { ...progress }, ...(publishId !== undefined && { publishId }), ...(waitMs !== undefined && { waitMs }) };
}
