import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { neutral } from '../notices/neutral.ts';
import type { DeletionDocument } from '../store/deletions.ts';
import { listOwnersAnd } from '../store/members.ts';

const MAX_NAME = 100;

/** Mails the owners about a deletion, in the transaction of the change. Each owner gets each mail once. */
export async function mailDeletion(
  context: Pick<Context, 'db' | 'keyring' | 'config'>,
  deletion: DeletionDocument,
  template: 'deletion_requested' | 'deleted',
  session: ClientSession,
): Promise<void> {
  const { _id, kind, organization_id, revision, name = '', requested_by_name = '', final_at } = deletion;
  const owners = await listOwnersAnd(context.db, organization_id, []);
  for (const { user } of owners.filter(({ user: { email_verified, disabled_at } }) => email_verified && !disabled_at)) {
    const data = {
      kind,
      name: user.name,
      deleted: neutral(name, MAX_NAME),
      requestedBy: neutral(requested_by_name, MAX_NAME),
      finalAt: final_at,
      path: kind === 'business' ? `/businesses/${_id}` : '/settings/organization',
    };
    const id = derivedId(_id, `${template} at revision ${revision}, to ${user._id}`);
    await queueMail(context, { id, to: user.email, template, data }, session);
  }
}
