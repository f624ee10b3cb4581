import { unsupported, type CheckCombination } from '../checks/check-content.ts';
import { options } from './options.ts';

/** A page has followers, but no connections; a post has one kind of content besides its text (platform reference 3.2). */
export const check: CheckCombination = ({ link, media, options: given }, account) => {
  const { poll, article } = options.safeParse(given ?? {}).data ?? {};
  const rivals = media.length > 0 ? 'images or videos' : link && article ? 'a link card' : undefined;
  return [
    ...(account === 'organization' && given?.['visibility'] === 'CONNECTIONS' ? [unsupported('options.visibility', NO_CONNECTIONS)] : []),
    ...(poll && rivals ? [unsupported('options.poll', `A post cannot have both a poll and ${rivals}.`)] : []),
  ];
};

const NO_CONNECTIONS = 'A page has no connections. Set visibility to PUBLIC (everyone) or LOGGED_IN (everyone who is logged in).';
