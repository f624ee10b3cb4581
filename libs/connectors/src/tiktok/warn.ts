import type { Warn } from '../check-content.ts';
import { ignored } from '../content-finding.ts';

/** What TikTok asks of videos alone, and of photos alone. */
export const warn: Warn = ({ media: [first], options }) => {
  if (!first) return [];
  return first.type === 'video'
    ? ignored(options, ['auto_add_music', 'photo_cover_index'], 'TikTok has this for photos only')
    : ignored(options, ['disable_duet', 'disable_stitch'], 'TikTok has this for videos only');
};
