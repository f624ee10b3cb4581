import * as ledger from '@fanfare/ledger';
import { findTimelineHeads } from '../deliveries/store/timeline-entries.ts';
import type { Rpc } from './rpc.ts';

export const verifyLedger: Rpc<'verifyLedger'> =
  ({ db }) =>
  (request) =>
    ledger.verifyLedger(db, request, (which) => findTimelineHeads(db, which));
