import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { checkRevision } from '../check-revision.ts';
import { checkActing, type Acting } from '../people/acting.ts';
import { lineageOf } from '../store/api-key-lineages.ts';
import { findShownApiKey, revokeApiKey } from '../store/api-keys.ts';
import { lockKeys } from '../store/organizations.ts';
import { handKeysOver, revokeKeysOf, type EndedKey } from '../people/end-keys.ts';

/**
 * Revokes a key, and those that it made; they stop working everywhere within 5 s.
 * @returns what became of the keys that it made
 * @throws DomainError resource_not_found, precondition_failed; authentication_required or permission_denied for who may not any more
 */
export async function revokeKey(
  context: Pick<Context, 'db' | 'mongo'>,
  { keyId, request, keepsCreated = false, ifRevisions = [], ...acting }: Revocation,
): Promise<EndedKey[]> {
  const { db, mongo } = context;
  const { organizationId, actor } = acting;
  return transaction(mongo.client, async (session) => {
    const acts = await checkActing(db, acting, session);
    await lockKeys(db, organizationId, session);
    const key = await findShownApiKey(db, organizationId, keyId, session);
    if (!key) throw notFound('key');
    checkRevision(ifRevisions, 'key', key.revision ?? 1);
    // Otherwise a stolen key could free the keys that it made, and itself, of the one whose revocation ends them all.
    if (keepsCreated && acts && [keyId, ...lineageOf(acts)].some((one) => one === acts._id || one === `key:${keyId}`)) {
      throw new DomainError('permission_denied', 'A key cannot keep the keys that it, or a key that created it, has created.', {
        param: 'created_keys',
      });
    }
    await revokeApiKey(db, keyId, session);
    const entry = { organizationId, actor, action: 'key.revoked', targetType: 'key', targetId: keyId, request };
    await recordAudit(context, { ...entry, details: { name: key.name } }, session);
    const created = { organizationId, of: `key:${keyId}`, actor, request };
    return keepsCreated ? handKeysOver(context, created, lineageOf(key), session) : revokeKeysOf(context, created, session);
  });
}

interface Revocation extends Acting {
  readonly keyId: string;
  readonly request: AuditRequest;
  /** Keys that it made pass to whom it belongs itself. */
  readonly keepsCreated?: boolean;
  /** One of which the key must have; empty asks for nothing. */
  readonly ifRevisions?: readonly number[];
}
