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
 * Revokes a key and the keys that it created; they stop working everywhere within 5 s.
 * @returns the result for each of the keys that it created
 * @throws DomainError resource_not_found, precondition_failed; authentication_required or permission_denied if the caller has lost its permission
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
    // Otherwise a stolen key could keep the keys that it created, and itself, when the key that created it is revoked.
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
  /** Whether the keys that it created are handed over to whom it belongs to itself. */
  readonly keepsCreated?: boolean;
  /** The permitted revisions of the key; empty permits any. */
  readonly ifRevisions?: readonly number[];
}
