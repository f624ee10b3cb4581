import { notFound } from '@fanfare/errors';
import { findDataDeletion, toDataDeletion } from '../meta/store/data-deletions.ts';
import type { Rpc } from './rpc.ts';

export const getDataDeletion: Rpc<'getDataDeletion'> =
  ({ db }) =>
  async ({ confirmationCode }) => {
    const found = await findDataDeletion(db, confirmationCode);
    if (!found) throw notFound('data deletion');
    return { deletion: toDataDeletion(found) };
  };
