import type { State, StepResult } from '../connector.ts';

/** Where a delivery to YouTube stands. */
export interface Progress {
  /** The upload's own address: whoever has it can go on with the upload. */
  readonly sessionUrl?: string;
  /** How many bytes YouTube has. */
  readonly offset?: number;
  /** How often an upload was begun anew because YouTube had lost its session. */
  readonly restarts?: number;
  /** Set by the commit: there is a video. */
  readonly videoId?: string;
  readonly polls?: number;
  readonly processed?: boolean;
  readonly commented?: boolean;
}

export function readProgress(state: State): Progress {
  return state;
}

export function done(progress: Progress, waitMs?: number): StepResult {
  const { videoId: publishId } = progress;
  return { state: { ...progress }, ...(publishId !== undefined && { publishId }), ...(waitMs !== undefined && { waitMs }) };
}
