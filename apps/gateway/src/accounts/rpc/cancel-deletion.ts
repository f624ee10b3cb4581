import { notFound } from '@fanfare/errors';
import { cancelDeletion as cancel } from '../deletions/deletion-request.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import { findDeletion } from '../store/deletions.ts';
import type { Rpc } from './rpc.ts';

export const cancelDeletion: Rpc<'cancelDeletion'> =
  (context) =>
  async ({ id, reason: given }, { metadata, log }) => {
    const reason = required('reason', given);
    const found = await findDeletion(context.db, id);
    if (!found || found.state === 'erased') throw notFound('deletion');
    const { kind, organization_id: organizationId, name = '' } = found;
    await cancel(context, { kind, id, organizationId, name, ...requestedBy(metadata) });
    log.warn({ deleted: kind, deleted_id: id, reason }, 'an operator cancels a deletion');
    return {};
  };
