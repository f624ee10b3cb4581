import { progressOf } from '../progress-of.ts';

/** Progress of one image or video uploaded to LinkedIn. */
export interface Upload {
  readonly urn?: string;
  /** Of an image; each part of a video has its own. */
  readonly uploadUrl?: string;
  /** Of a video, as LinkedIn returned it; often empty. */
  readonly uploadToken?: string;
  /** The parts that LinkedIn does not have yet. */
  readonly parts?: readonly Part[];
  /** ETags of the parts that LinkedIn has, in order. */
  readonly etags?: readonly string[];
  /** LinkedIn has all of it. */
  readonly sent?: boolean;
  readonly polls?: number;
  readonly ready?: boolean;
  /** How often it was started over. */
  readonly restarts?: number;
}

export interface Part {
  readonly uploadUrl: string;
  readonly firstByte: number;
  readonly lastByte: number;
}

/** Progress of a delivery to LinkedIn. */
export interface Progress {
  /** In the order of the post; uploads go one after the other. */
  readonly uploads?: readonly Upload[];
  /** LinkedIn rejected the post as forbidden once, which may be temporary. */
  readonly forbidden?: boolean;
  /** The post that LinkedIn says ours duplicates. */
  readonly repeats?: string;
  /** Set by the commit: the URN of the post. */
  readonly postId?: string;
  readonly commented?: boolean;
}

export const { readProgress, done } = progressOf<Progress>(({ postId }) => postId);
