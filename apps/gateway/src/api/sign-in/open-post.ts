import { access } from '../../accounts/index.ts';

/** What POST operations for people who are not signed in have in common. */
export const openPost = {
  tag: 'Sign-in',
  method: 'post',
  scope: 'none',
  access: access.usersOnly('viewer'),
  params: {},
  query: {},
} as const;
