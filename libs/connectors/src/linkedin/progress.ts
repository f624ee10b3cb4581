import type { State, StepResult } from '../connector.ts';

/** Where one picture or video stands on its way to LinkedIn. */
export interface Upload {
  readonly urn?: string;
  /** A picture's; a video has one in every part. */
  readonly uploadUrl?: string;
  /** A video's, as LinkedIn gave it; often empty. */
  readonly uploadToken?: string;
  /** The parts that LinkedIn does not have yet. */
  readonly parts?: readonly Part[];
  /** Of the parts that LinkedIn has, in order. */
  readonly etags?: readonly string[];
  /** LinkedIn has all of it. */
  readonly sent?: boolean;
  readonly polls?: number;
  readonly ready?: boolean;
  /** How often it began anew. */
  readonly restarts?: number;
}

export interface Part {
  readonly uploadUrl: string;
  readonly firstByte: number;
  readonly lastByte: number;
}

/** Where a delivery to LinkedIn stands. */
export interface Progress {
  /** In the order of the post; uploads go one after the other. */
  readonly uploads?: readonly Upload[];
  /** LinkedIn called the post forbidden once, which may pass. */
  readonly forbidden?: boolean;
  /** The post that LinkedIn says ours would repeat. */
  readonly repeats?: string;
  /** Set by the commit: there is a post, by its URN. */
  readonly postId?: string;
  readonly commented?: boolean;
}

export function readProgress(state: State): Progress {
  return state;
}

export function done(progress: Progress, waitMs?: number): StepResult {
  const { postId: publishId } = progress;
  return { state: { ...progress }, ...(publishId !== undefined && { publishId }), ...(waitMs !== undefined && { waitMs }) };
}
