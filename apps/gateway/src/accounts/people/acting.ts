import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import { findWorkingApiKey, type ApiKeyDocument } from '../store/api-keys.ts';
import { lockKeys } from '../store/organizations.ts';
import { managerNow } from './members.ts';

/** Who changes something of an organization that its owners, admins and keys alone may change. */
export interface Acting {
  readonly organizationId: string;
  /** `key:<id>`, `user:<id>` or an operator. */
  readonly actor: string;
  /** Of a user. */
  readonly sessionId?: string | undefined;
}

/**
 * Asks anew whether who acts still may: what their request came in with may be seconds old, and what they change now would outlast what they
 * have lost. Nobody's membership and no key of the organization is changed by others until the transaction has ended.
 * @returns the key that acts, if it is one
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
