import type { State, StepResult } from '../connector.ts';

/** Where a delivery to Pinterest stands. */
export interface Progress {
  /** The uploaded video. */
  readonly mediaId?: string;
  readonly polls?: number;
  readonly ready?: boolean;
  /** How often Pinterest could not fetch a picture. */
  readonly unreachable?: number;
  /** Why Pinterest did not take several pictures in one pin, in its words: the first is pinned alone. */
  readonly firstAlone?: string;
  /** Set by the commit: there is a pin. */
  readonly pinId?: string;
}

export function readProgress(state: State): Progress {
  return state;
}

export function done(progress: Progress, waitMs?: number): StepResult {
  const { pinId: publishId } = progress;
  return { state: { ...progress }, ...(publishId !== undefined && { publishId }), ...(waitMs !== undefined && { waitMs }) };
}
