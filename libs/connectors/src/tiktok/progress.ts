import type { Content } from '../connector.ts';
import { progressOf } from '../progress-of.ts';

/** Progress of a delivery to TikTok. */
export interface Progress {
  /** The creator's settings and username, read before each post. */
  readonly creator?: Creator;
  /** It goes into the inbox of the account, for its owner to post. */
  readonly draft?: true;
  /** TikTok's id of the publishing task, which is not the post's. */
  readonly taskId?: string;
  /** The upload URL of the video. Valid for an hour. */
  readonly uploadUrl?: string;
  /** Bytes that TikTok has. */
  readonly uploaded?: number;
  /** TikTok disagreed about `uploaded`; its status must be read. */
  readonly askOffset?: boolean;
  /** How often the last part was lost and the same upload was resumed. */
  readonly resumed?: number;
  /** How often everything was started over. */
  readonly rebuilds?: number;
  /** Set by the commit: TikTok publishes from here on by itself. */
  readonly committed?: boolean;
  readonly polls?: number;
  /** Published, or the wait is over. */
  readonly settled?: boolean;
  /** How often the id of a published post was not available yet. */
  readonly idPolls?: number;
  readonly postId?: string;
  readonly postUrl?: string;
}

export interface Creator {
  readonly username?: string;
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  /** Whether the post is public: only then does TikTok return its id. */
  readonly isPublic: boolean;
}

export const { readProgress, done } = progressOf<Progress>(({ postId, committed, taskId }) => postId ?? (committed ? taskId : undefined));

/** The state to start over from. */
export function fresh({ rebuilds }: Progress): { readonly rebuilds: number } {
  return { rebuilds: (rebuilds ?? 0) + 1 };
}

export function isVideo({ media }: Content): boolean {
  return media[0]?.type === 'video';
}
