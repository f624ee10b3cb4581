import { notFound } from '@fanfare/errors';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { enableUser as enable } from '../people/disable-user.ts';
import { findPerson, toPerson } from '../store/persons.ts';
import type { Rpc } from './rpc.ts';

export const enableUser: Rpc<'enableUser'> =
  (context) =>
  async ({ userId }, { metadata, log }) => {
    await enable(context, { userId, ...requestedBy(metadata) });
    log.warn({ enabled_user_id: userId }, 'user enabled');
    const person = await findPerson(context.db, userId);
    if (!person) throw notFound('user');
    return { user: toPerson(person) };
  };
