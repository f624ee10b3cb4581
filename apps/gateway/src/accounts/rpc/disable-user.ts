import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordUserAudit } from '../audit/audit-user.ts';
import type { ClientSession } from 'mongodb';
import { revokeKeysOf, type EndedKey } from '../people/end-keys.ts';
import { cancelInvitationsOf } from '../people/members.ts';
import { listOrganizationIds } from '../store/members.ts';
import { findPerson, toPerson } from '../store/persons.ts';
import { deleteSessions } from '../store/sessions.ts';
import { disableUser as disable } from '../store/users.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

export const disableUser: Rpc<'disableUser'> =
  (context) =>
  async ({ userId, reason: given, keepKeys }, { metadata, log }) => {
    const { db, mongo } = context;
    const reason = required('reason', given);
    const revokedKeyIds = await transaction(mongo.client, async (session) => {
      const before = await disable(db, userId, reason, session);
      if (!before) throw notFound('user');
      const ended = keepKeys ? [] : await endWhatTheyManage(session);
      const revoked = ended.map(({ key }) => key._id);
      if (before.disabled_at) return revoked;
      const entry = { action: 'user.disabled', targetType: 'user', targetId: userId };
      await recordUserAudit(context, userId, { ...entry, ...requestedBy(metadata) }, session);
      return revoked;
    });
    // After the commit, so that no session is missed: later sign-ins are rejected, and earlier sessions are found here.
    await deleteSessions(db, userId);
    log.warn({ disabled_user_id: userId, reason }, 'user disabled');
    const person = await findPerson(db, userId);
    if (!person) throw notFound('user');
    return { user: toPerson(person), revokedKeyIds };

    /** With keys that they know they could continue, and with invitations that they sent they could come back. */
    async function endWhatTheyManage(session: ClientSession): Promise<EndedKey[]> {
      const ended: EndedKey[] = [];
      for (const organizationId of await listOrganizationIds(db, userId, session)) {
        const ending = { organizationId, of: `user:${userId}`, ...requestedBy(metadata) };
        await cancelInvitationsOf(context, ending, session);
        ended.push(...(await revokeKeysOf(context, ending, session)));
      }
      return ended;
    }
  };
