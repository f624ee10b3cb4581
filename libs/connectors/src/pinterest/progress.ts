import { progressOf } from '../progress-of.ts';

/** Progress of a delivery to Pinterest. */
export interface Progress {
  /** The uploaded video. */
  readonly mediaId?: string;
  readonly polls?: number;
  readonly ready?: boolean;
  /** How often Pinterest could not fetch an image. */
  readonly unreachable?: number;
  /** Pinterest's message when it rejected several images in one pin: only the first is pinned. */
  readonly firstAlone?: string;
  /** Set by the commit: the pin exists. */
  readonly pinId?: string;
}

export const { readProgress, done } = progressOf<Progress>(({ pinId }) => pinId);
