import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordUserAudit } from '../identity/audit-user.ts';
import { findPerson, toPerson } from '../store/persons.ts';
import { deleteSessions } from '../store/sessions.ts';
import { disableUser as disable } from '../store/users.ts';
import { askedBy } from './asked-by.ts';
import { required } from './required.ts';
import type { Rpc } from './rpc.ts';

export const disableUser: Rpc<'disableUser'> =
  (context) =>
  async ({ userId, reason: given }, { metadata, log }) => {
    const { db, mongo } = context;
    const reason = required('reason', given);
    await transaction(mongo.client, async (session) => {
      const before = await disable(db, userId, reason, session);
      if (!before) throw notFound('user');
      if (before.disabled_at) return;
      const entry = { action: 'user.disabled', targetType: 'user', targetId: userId };
      await recordUserAudit(context, userId, { ...entry, ...askedBy(metadata) }, session);
    });
    // After the commit: whoever signs in from now on sees it, and a session that was made before is found here.
    await deleteSessions(db, userId);
    log.warn({ disabled_user_id: userId, reason }, 'user disabled');
    const person = await findPerson(db, userId);
    if (!person) throw notFound('user');
    return { user: toPerson(person) };
  };
