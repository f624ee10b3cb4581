import * as ledger from '@fanfare/ledger';
import { findTimelineHeads } from '../deliveries/store/timeline-entries.ts';
import { findRemovalHeads } from '../removals/store/removals.ts';
import type { Rpc } from './rpc.ts';

export const verifyLedger: Rpc<'verifyLedger'> =
  ({ db }) =>
  (request) =>
    ledger.verifyLedger(db, request, async (which) =>
      (await Promise.all([findTimelineHeads(db, which), findRemovalHeads(db, which)])).flat(),
    );
