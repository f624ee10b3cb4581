import { access } from '../../accounts/index.ts';

/** What is posted by somebody who is not signed in, or not yet. */
export const openPost = {
  tag: 'Sign-in',
  method: 'post',
  scope: 'none',
  access: access.usersOnly('viewer'),
  params: {},
  query: {},
} as const;
