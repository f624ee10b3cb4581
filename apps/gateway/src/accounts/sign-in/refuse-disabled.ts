import { DomainError } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import { deleteSession, type SessionDocument } from '../store/sessions.ts';
import type { UserDocument } from '../store/users.ts';

/**
 * Ends a session that was just made for a user whom operators keep out.
 * @param user read after the session was made: whoever is disabled later has their sessions ended by that
 * @throws DomainError permission_denied
 */
export async function refuseDisabled({ db }: Pick<Context, 'db'>, user: UserDocument, session: SessionDocument): Promise<void> {
  if (!user.disabled_at) return;
  await deleteSession(db, user._id, session._id);
  throw new DomainError('permission_denied', 'This user is disabled and cannot sign in until the operator enables it again.');
}
