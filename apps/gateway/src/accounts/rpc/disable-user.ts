import { notFound } from '@fanfare/errors';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import { disableUser as disable } from '../people/disable-user.ts';
import { findPerson, toPerson } from '../store/persons.ts';
import type { Rpc } from './rpc.ts';

export const disableUser: Rpc<'disableUser'> =
  (context) =>
  async ({ userId, reason: given, keepKeys }, { metadata, log }) => {
    const reason = required('reason', given);
    const revokedKeyIds = await disable(context, { userId, ...requestedBy(metadata) }, { reason, keepKeys });
    log.warn({ disabled_user_id: userId, reason }, 'user disabled');
    const person = await findPerson(context.db, userId);
    if (!person) throw notFound('user');
    return { user: toPerson(person), revokedKeyIds };
  };
