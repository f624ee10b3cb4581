import * as ledger from '@fanfare/ledger';
import type { Db } from 'mongodb';
import { findTimelineHeads, pageOfTimelineHeads } from '../deliveries/store/timeline-entries.ts';
import { findRemovalHeads, pageOfRemovalHeads } from '../removals/store/removals.ts';
import type { Rpc } from './rpc.ts';

export const verifyLedger: Rpc<'verifyLedger'> =
  ({ db }) =>
  (request) =>
    ledger.verifyLedger(db, request, {
      of: async (which) => (await Promise.all([findTimelineHeads(db, which), findRemovalHeads(db, which)])).flat(),
      page: (after) => pageOf(db, after),
    });

const REMOVALS = 'removals:';

/** All deliveries, then all removals. */
async function pageOf(db: Db, after: string): Promise<ledger.DocumentPage> {
  if (!after.startsWith(REMOVALS)) {
    const { witnesses, nextAfter = REMOVALS } = await pageOfTimelineHeads(db, after);
    return { witnesses, nextAfter };
  }
  const { witnesses, nextAfter } = await pageOfRemovalHeads(db, after.slice(REMOVALS.length));
  return { witnesses, nextAfter: nextAfter && REMOVALS + nextAfter };
}
