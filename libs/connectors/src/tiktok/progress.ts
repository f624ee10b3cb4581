import type { Content, State, StepResult } from '../connector.ts';

/** Where a delivery to TikTok stands. */
export interface Progress {
  /** What the account's owner allows and is called, asked before each post. */
  readonly creator?: Creator;
  /** It goes into the inbox of the account, for its owner to post. */
  readonly draft?: true;
  /** TikTok's id of the publishing task, which is not the post's. */
  readonly taskId?: string;
  /** Where the video's bytes go. Good for an hour. */
  readonly uploadUrl?: string;
  /** Bytes that TikTok has. */
  readonly uploaded?: number;
  /** TikTok did not agree about `uploaded`, and has to be asked. */
  readonly askOffset?: boolean;
  /** How often the last part was lost and the same upload went on. */
  readonly resumed?: number;
  /** How often everything was begun anew. */
  readonly rebuilds?: number;
  /** Set by the commit: TikTok publishes from here on by itself. */
  readonly committed?: boolean;
  readonly polls?: number;
  /** Published, or waited for long enough. */
  readonly settled?: boolean;
  /** How often the id of a published post was asked for in vain. */
  readonly idPolls?: number;
  readonly postId?: string;
  readonly postUrl?: string;
}

export interface Creator {
  readonly username?: string;
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  /** Whether everyone will see the post: only then does TikTok tell its id. */
  readonly isPublic: boolean;
}

export function readProgress(state: State): Progress {
  return state;
}

export function done(progress: Progress, waitMs?: number): StepResult {
  const publishId = progress.postId ?? (progress.committed ? progress.taskId : undefined);
  return { state: { ...progress }, ...(publishId !== undefined && { publishId }), ...(waitMs !== undefined && { waitMs }) };
}

/** The state to begin anew from. */
export function fresh({ rebuilds }: Progress): { readonly rebuilds: number } {
  return { rebuilds: (rebuilds ?? 0) + 1 };
}

export function isVideo({ media }: Content): boolean {
  return media[0]?.type === 'video';
}
