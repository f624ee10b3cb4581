import { readStorage } from '../store/storage-usage.ts';
import type { Rpc } from './rpc.ts';

export const getStorageUsage: Rpc<'getStorageUsage'> =
  ({ db }) =>
  async (_request, { metadata }) => {
    if (metadata.organizationId === '') throw new Error('The call metadata names no organization.');
    return readStorage(db, metadata.organizationId);
  };
