import { pageRequest } from '../operator-requests/page-request.ts';
import { listDeletions as list, toDeletion } from '../store/deletions.ts';
import type { Rpc } from './rpc.ts';

export const listDeletions: Rpc<'listDeletions'> =
  ({ db }) =>
  async ({ organizationId, pageSize }) => {
    const found = await list(db, organizationId, pageRequest({ pageSize, pageToken: '' }).pageSize);
    return { deletions: found.map(toDeletion) };
  };
