import { readStorage } from '../storage/store/storage-usage.ts';
import type { Rpc } from './rpc.ts';

export const getStorageUsage: Rpc<'getStorageUsage'> =
  ({ db }) =>
  async (_request, { metadata }) => {
    if (metadata.organizationId === '') throw new Error('The call metadata lacks the organization.');
    const { bytes, files, reserved } = await readStorage(db, metadata.organizationId);
    return { bytes, files, heldBytes: reserved.bytes, heldFiles: reserved.files };
  };
