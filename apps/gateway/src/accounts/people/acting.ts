import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import { findWorkingApiKey, type ApiKeyDocument } from '../store/api-keys.ts';
import { lockKeys } from '../store/organizations.ts';
import { managerNow } from './members.ts';

/** The caller of a change that only owners, admins and keys of an organization may make. */
export interface Acting {
  readonly organizationId: string;
  /** `key:<id>`, `user:<id>` or an operator. */
  readonly actor: string;
  /** The session of a user. */
  readonly sessionId?: string | undefined;
}

/**
 * Checks again, in the transaction, that the caller still has its permission: the caller of a request may be cached for seconds, and the change would outlast a lost
 * permission. Until the transaction ends, others can change no membership and no key of the organization.
 * @returns the key that acts, if the caller is a key
 * @throws DomainError authentication_required, permission_denied
 */
export async function checkActing(
  db: Db,
  { organizationId, actor, sessionId }: Acting,
  session: ClientSession,
): Promise<ApiKeyDocument | undefined> {
  const [kind, id = ''] = actor.split(':');
  if (kind === 'user') await managerNow(db, { organizationId, userId: id, sessionId }, session);
  if (kind !== 'key') return undefined;
  await lockKeys(db, organizationId, session);
  const key = await findWorkingApiKey(db, organizationId, id, session);
  if (!key) throw new DomainError('authentication_required', 'This API key has expired or was revoked.');
  return key;
}
