import { unsupported, type CheckCombination } from '../check-content.ts';

/** A page has followers, and no connections (platform reference 3.2). */
export const check: CheckCombination = ({ options }, account) =>
  account === 'organization' && options?.['visibility'] === 'CONNECTIONS'
    ? [
        unsupported(
          'options.visibility',
          'A page has no connections: its posts are for everyone (PUBLIC), or for who is logged in (LOGGED_IN).',
        ),
      ]
    : [];
