import type { Refetches } from '../calls/refetching.ts';
import { progressOf } from '../progress-of.ts';

/** Progress of a delivery to Pinterest. */
export interface Progress extends Refetches {
  /** The uploaded video. */
  readonly mediaId?: string;
  readonly polls?: number;
  readonly ready?: boolean;
  /** Pinterest's message when it rejected several images in one pin: only the first is pinned. */
  readonly firstAlone?: string;
  /** Set by the commit: the pin exists. */
  readonly pinId?: string;
}

export const { readProgress, done } = progressOf<Progress>(({ pinId }) => pinId);
