import { listChains } from '@fanfare/ledger';
import type { Rpc } from './rpc.ts';

export const listTimelines: Rpc<'listTimelines'> =
  ({ db }) =>
  async ({ afterId }, { metadata }) => {
    const { chains: postIds, nextAfter: nextAfterId = '' } = await listChains(db, metadata, afterId);
    return { postIds, nextAfterId };
  };
