import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordAudit, type AuditRequest } from '../audit.ts';
import { checkRevision } from '../check-revision.ts';
import type { Context } from '../context.ts';
import { findShownApiKey, revokeApiKey } from '../store/api-keys.ts';

/**
 * Revokes a key; it stops working everywhere within 5 s.
 * @throws DomainError resource_not_found, precondition_failed
 */
export async function revokeKey(
  context: Pick<Context, 'db' | 'mongo'>,
  { organizationId, keyId, actor, request, ifRevisions = [] }: Revocation,
): Promise<void> {
  const { db, mongo } = context;
  await transaction(mongo.client, async (session) => {
    const key = await findShownApiKey(db, organizationId, keyId, session);
    if (!key) throw notFound('key');
    checkRevision(ifRevisions, 'key', key.revision ?? 1);
    await revokeApiKey(db, keyId, session);
    const entry = {
      organizationId,
      actor,
      action: 'key.revoked',
      targetType: 'key',
      targetId: keyId,
      details: { name: key.name },
      request,
    };
    await recordAudit(context, entry, session);
  });
}

interface Revocation {
  readonly organizationId: string;
  readonly keyId: string;
  readonly actor: string;
  readonly request: AuditRequest;
  /** One of which the key must have; empty asks for nothing. */
  readonly ifRevisions?: readonly number[];
}
