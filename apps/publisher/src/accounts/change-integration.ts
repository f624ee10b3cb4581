import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { ClientSession } from 'mongodb';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitIntegrationChanged } from './events/emit-integration-changed.ts';
import { findOwnIntegration, putIntegration, type IntegrationDocument } from './store/integrations.ts';

/** Enough to recognize repeats: they come within seconds, or when an interrupted request is resumed. */
const OPERATIONS_KEPT = 20;

/**
 * Changes an account for its owner and emits the event. A repeated operation changes nothing more.
 * @param change returns the changed account, or undefined if nothing changes; may write more in the same transaction
 * @throws DomainError resource_not_found, precondition_failed
 */
export async function changeIntegration(
  context: Context,
  metadata: CallMetadata,
  request: { readonly operationId: string; readonly integrationId: string; readonly expectedRevisions: readonly number[] },
  change: (current: IntegrationDocument, session: ClientSession) => Promise<IntegrationDocument | undefined>,
): Promise<IntegrationDocument> {
  const { db } = context;
  const { operationId, integrationId, expectedRevisions } = request;
  return context.transact(async (session) => {
    const current = await findOwnIntegration(db, integrationId, metadata, session);
    if (!current) throw notFound('integration');
    if (current.operation_ids?.includes(operationId)) return current;
    if (expectedRevisions.length > 0 && !expectedRevisions.includes(current.revision)) {
      throw new DomainError('precondition_failed', 'The account was changed by another request. Read it again.');
    }
    const changed = await change(current, session);
    if (!changed) return current;
    const next = {
      ...changed,
      revision: current.revision + 1,
      updated_at: now(metadata.organizationId),
      operation_ids: [...(current.operation_ids ?? []), operationId].slice(-OPERATIONS_KEPT),
    };
    await putIntegration(db, next, session);
    await emitIntegrationChanged(context, session, next, metadata);
    return next;
  });
}
