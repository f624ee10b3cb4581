import type { Content } from '../connector.ts';
import { progressOf } from '../progress-of.ts';

/** Progress of a delivery to Instagram. */
export interface Progress {
  /** Containers of a carousel's items, in order. */
  readonly children?: readonly string[];
  readonly childrenReady?: number;
  readonly container?: string;
  readonly ready?: boolean;
  readonly polls?: number;
  /** How often everything was started over because a container was unusable. */
  readonly rebuilds?: number;
  /** Set by the commit: the post exists. */
  readonly mediaId?: string;
  readonly postUrl?: string;
  readonly linked?: boolean;
  readonly commented?: boolean;
}

export const { readProgress, done } = progressOf<Progress>(({ mediaId }) => mediaId);

/** The state to start over from, without any container. */
export function fresh({ rebuilds }: Progress): { readonly rebuilds: number } {
  return { rebuilds: (rebuilds ?? 0) + 1 };
}

export function isCarousel({ media }: Content): boolean {
  return media.length > 1;
}
