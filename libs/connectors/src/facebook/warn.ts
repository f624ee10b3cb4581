import type { Warn } from '../check-content.ts';
import { ignored } from '../content-finding.ts';

/** Labels and kinds are of videos. */
export const warn: Warn = ({ media, options }, hasMedia) => {
  const isUnknown = hasMedia && media.length === 0;
  if (isUnknown || media[0]?.type === 'video') return [];
  return ignored(options, ['kind', 'is_ai_generated'], 'Facebook has this for videos only');
};
