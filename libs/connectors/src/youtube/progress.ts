import { progressOf } from '../progress-of.ts';

/** Progress of a delivery to YouTube. */
export interface Progress {
  /** The upload's own URL: anyone who has it can continue the upload. */
  readonly sessionUrl?: string;
  /** How many bytes YouTube has. */
  readonly offset?: number;
  /** How often an upload was started over because YouTube had lost its session. */
  readonly restarts?: number;
  /** Set by the commit: the video exists. */
  readonly videoId?: string;
  readonly polls?: number;
  readonly processed?: boolean;
  readonly commented?: boolean;
}

export const { readProgress, done } = progressOf<Progress>(({ videoId }) => videoId);
