import type { CheckedContent, CheckedMedia } from '../checks/check-content.ts';
import type { Refetches } from '../calls/refetching.ts';
import type { StepResult } from '../connector.ts';
import { progressOf } from '../progress-of.ts';
import { poll, reel } from './limits.ts';
import { options } from './options.ts';

/** Progress of a delivery to Facebook. */
export interface Progress extends Refetches {
  /** Unpublished photos, in the order of the post. */
  readonly photos?: readonly string[];
  readonly videoId?: string;
  readonly uploadUrl?: string;
  /** Facebook has got the URL of the reel's file. */
  readonly handedOver?: boolean;
  readonly uploaded?: boolean;
  readonly covered?: boolean;
  readonly polls?: number;
  /** Set by the commit: the post exists. */
  readonly publishId?: string;
  readonly postId?: string;
  readonly postUrl?: string;
  readonly processed?: boolean;
  readonly linked?: boolean;
  readonly commented?: boolean;
}

export type Kind = 'text' | 'photo' | 'photos' | 'video' | 'reel';

/** Which of Facebook's flows a post uses. A link has a preview only in posts without media. */
export function kindOf({ media, options: given }: Pick<CheckedContent, 'media' | 'options'>): Kind {
  const [first] = media;
  if (!first) return 'text';
  if (first.type === 'video') return options.parse(given ?? {}).kind ?? (fitsReel(first) ? 'reel' : 'video');
  return media.length === 1 ? 'photo' : 'photos';
}

export const { readProgress, done } = progressOf<Progress>(({ publishId }) => publishId);

/** Counts a poll without a change; the wait for the next one grows. */
export function pollAgain(progress: Progress): StepResult {
  const polls = (progress.polls ?? 0) + 1;
  return done({ ...progress, polls }, polls < poll.quickPolls ? poll.quickMs : poll.slowMs);
}

function fitsReel({ width, height, durationMs, frameRate = reel.minFrameRate }: CheckedMedia): boolean {
  return (
    durationMs !== undefined &&
    durationMs >= reel.minDurationMs &&
    durationMs <= reel.maxDurationMs &&
    width >= reel.minWidth &&
    height >= reel.minHeight &&
    frameRate >= reel.minFrameRate &&
    frameRate <= reel.maxFrameRate &&
    Math.abs(width / height / reel.ratio - 1) <= reel.ratioTolerance
  );
}
