import type { State, StepResult } from '../connector.ts';

/** Where one picture or video stands on its way to X. */
export interface Upload {
  readonly id?: string;
  /** Parts that X has. */
  readonly parts?: number;
  readonly finalized?: boolean;
  readonly polls?: number;
  readonly ready?: boolean;
  readonly described?: boolean;
}

/** Where a delivery to X stands. */
export interface Progress {
  /** In the order of the post; uploads go one after the other. */
  readonly uploads?: readonly Upload[];
  /** Set by the commit: there is a post. */
  readonly postId?: string;
  readonly postUrl?: string;
  readonly replied?: boolean;
}

export function readProgress(state: State): Progress {
  return state;
}

export function done(progress: Progress, waitMs?: number): StepResult {
  const { postId: publishId } = progress;
  return { state: { ...progress }, ...(publishId !== undefined && { publishId }), ...(waitMs !== undefined && { waitMs }) };
}
