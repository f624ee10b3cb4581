import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordUserAudit } from '../audit/audit-user.ts';
import { findPerson, toPerson } from '../store/persons.ts';
import { enableUser as enable } from '../store/users.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import type { Rpc } from './rpc.ts';

export const enableUser: Rpc<'enableUser'> =
  (context) =>
  async ({ userId }, { metadata, log }) => {
    const { db, mongo } = context;
    await transaction(mongo.client, async (session) => {
      const before = await enable(db, userId, session);
      if (!before) throw notFound('user');
      if (!before.disabled_at) return;
      const entry = { action: 'user.enabled', targetType: 'user', targetId: userId };
      await recordUserAudit(context, userId, { ...entry, ...requestedBy(metadata) }, session);
    });
    log.warn({ enabled_user_id: userId }, 'user enabled');
    const person = await findPerson(db, userId);
    if (!person) throw notFound('user');
    return { user: toPerson(person) };
  };
