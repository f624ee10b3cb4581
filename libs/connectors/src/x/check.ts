import { unsupported, type CheckCombination } from '../check-content.ts';
import { options } from './options.ts';

/** A poll stands in place of media, under a text. */
export const check: CheckCombination = ({ caption, media, options: given }) => {
  const poll = options.safeParse(given ?? {}).data?.poll;
  if (!poll) return [];
  if (media.length > 0) return [unsupported('options.poll', 'A poll cannot stand in one post with pictures or videos.')];
  return caption.trim() === '' ? [unsupported('options.poll', 'A poll needs a text above it.')] : [];
};
