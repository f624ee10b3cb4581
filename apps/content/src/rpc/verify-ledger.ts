import * as ledger from '@fanfare/ledger';
import { findTimelineHeads, pageOfTimelineHeads } from '../posts/store/timeline-heads.ts';
import type { Rpc } from './rpc.ts';

export const verifyLedger: Rpc<'verifyLedger'> =
  ({ db }) =>
  (request) =>
    ledger.verifyLedger(db, request, {
      of: ({ chains, postId }) => findTimelineHeads(db, postId === undefined ? chains : [postId]),
      page: (after) => pageOfTimelineHeads(db, after),
    });
