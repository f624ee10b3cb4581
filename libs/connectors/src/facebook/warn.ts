import type { Warn } from '../checks/check-content.ts';
import { ignored, untitled } from '../checks/content-finding.ts';

/** Titles, labels and kinds apply to videos only. */
export const warn: Warn = ({ title, media, options }, hasMedia) => {
  const isUnknown = hasMedia && media.length === 0;
  if (isUnknown || media[0]?.type === 'video') return [];
  return [
    ...untitled(title, 'On Facebook, only videos have titles'),
    ...ignored(options, ['kind', 'is_ai_generated'], 'Facebook supports this for videos only'),
  ];
};
