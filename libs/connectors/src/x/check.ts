import { unsupported, type CheckCombination } from '../checks/check-content.ts';
import { options } from './options.ts';

/** A poll replaces media and requires a text. */
export const check: CheckCombination = ({ caption, media, options: given }) => {
  const poll = options.safeParse(given ?? {}).data?.poll;
  if (!poll) return [];
  if (media.length > 0) return [unsupported('options.poll', 'A post cannot have both a poll and images or videos.')];
  return caption.trim() === '' ? [unsupported('options.poll', 'A poll requires a caption.')] : [];
};
