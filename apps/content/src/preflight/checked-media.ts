import type { CheckedMedia } from '@fanfare/connectors/preflight';
import type { PostMedia } from '@fanfare/contracts/content';

/** The media as preflight checks them; undefined if the facts of at least one are not stored. */
export function checkedMedia(media: readonly PostMedia[]): CheckedMedia[] | undefined {
  const known = media.flatMap(({ type, facts }): CheckedMedia[] => {
    if (!facts) return [];
    const { durationMs, frames, frameRate, ...rest } = facts;
    return [
      {
        ...rest,
        type: type === 'video' ? 'video' : 'image',
        ...(durationMs !== undefined && { durationMs }),
        ...(frames !== undefined && { frames }),
        ...(frameRate !== undefined && { frameRate }),
      },
    ];
  });
  return known.length === media.length ? known : undefined;
}
