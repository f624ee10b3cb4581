import { unsupported, type CheckCombination } from '../check-content.ts';
import { options } from './options.ts';

/** A page has followers, and no connections; a post has one content besides its text (platform reference 3.2). */
export const check: CheckCombination = ({ link, media, options: given }, account) => {
  const { poll, article } = options.safeParse(given ?? {}).data ?? {};
  const rivals = media.length > 0 ? 'pictures or videos' : link && article ? "a link's card" : undefined;
  return [
    ...(account === 'organization' && given?.['visibility'] === 'CONNECTIONS' ? [unsupported('options.visibility', NO_CONNECTIONS)] : []),
    ...(poll && rivals ? [unsupported('options.poll', `A poll cannot stand in one post with ${rivals}.`)] : []),
  ];
};

const NO_CONNECTIONS = 'A page has no connections: its posts are for everyone (PUBLIC), or for who is logged in (LOGGED_IN).';
