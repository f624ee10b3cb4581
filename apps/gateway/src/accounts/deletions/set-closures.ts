import { systemCall } from '@fanfare/rpc';
import type { Context } from '../../context.ts';
import { recordClosuresSet, type DeletionDocument } from '../store/deletions.ts';

const TIMEOUT_MS = 10_000;

/** Stops publishing, or lets it continue. A call that arrives late, after the next change, changes nothing in the services. */
export async function setClosures({ content, publisher, db }: Context, deletion: DeletionDocument): Promise<void> {
  const { _id, kind, organization_id: organizationId, state, revision } = deletion;
  const closure = { organizationId, businessId: kind === 'business' ? _id : '', closed: state !== 'cancelled', revision };
  const options = { call: { metadata: systemCall('gateway', { organizationId }) }, timeoutMs: TIMEOUT_MS };
  await Promise.all([content.setClosure(closure, options), publisher.setClosure(closure, options)]);
  await recordClosuresSet(db, deletion);
}
