import { DomainError } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import { deleteSession, type SessionDocument } from '../store/sessions.ts';
import type { UserDocument } from '../store/users.ts';

/**
 * Ends a session that was just created, if operators have disabled its user.
 * @param user read after the session was created: if the user is disabled later, that ends the session
 * @throws DomainError permission_denied
 */
export async function rejectDisabled({ db }: Pick<Context, 'db'>, user: UserDocument, session: SessionDocument): Promise<void> {
  if (!user.disabled_at) return;
  await deleteSession(db, user._id, session._id);
  throw new DomainError('permission_denied', 'This user is disabled and cannot sign in until the operator enables it again.');
}
