import { access } from '../../accounts/index.ts';

/** The common part of POST operations for people who are not signed in. */
export const openPost = {
  tag: 'Sign-in',
  method: 'post',
  scope: 'none',
  access: access.usersOnly('viewer'),
  params: {},
  query: {},
} as const;
