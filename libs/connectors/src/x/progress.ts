import { progressOf } from '../progress-of.ts';

/** Progress of one image or video uploaded to X. */
export interface Upload {
  readonly id?: string;
  /** Parts that X has. */
  readonly parts?: number;
  readonly finalized?: boolean;
  readonly polls?: number;
  readonly ready?: boolean;
  readonly described?: boolean;
  /** How often it was started over. */
  readonly restarts?: number;
}

/** Progress of a delivery to X. */
export interface Progress {
  /** In the order of the post; uploads go one after the other. */
  readonly uploads?: readonly Upload[];
  /** Set by the commit: the post exists. */
  readonly postId?: string;
  readonly postUrl?: string;
  readonly replied?: boolean;
}

export const { readProgress, done } = progressOf<Progress>(({ postId }) => postId);
