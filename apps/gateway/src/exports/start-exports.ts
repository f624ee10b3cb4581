import { startWorker, type Worker } from '@fanfare/leased-work';
import { type ExportDocument, exportRows, failExport, isErasing } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { exportsEnded } from '../metrics.ts';
import { makeExport } from './make-export.ts';

/** Others wait: an export reads all the time. */
const AT_ONCE = 1;
const LEASE_MS = 60_000;
const IDLE_MS = 5_000;
const ERASING_WAIT_MS = 30_000;
/** An attempt begins from the beginning: a service may be unavailable for half an hour. */
const RETRY = { attempts: 10, firstDelayMs: 2_000, maxDelayMs: 10 * 60_000 };

/** It was no attempt. */
const UNCOUNTED = [{ $set: { attempts: { $max: [0, { $subtract: ['$attempts', 1] }] } } }];

/** Makes exports. */
export function startExports(context: Context): Worker {
  const { db, log } = context;
  return startWorker<ExportDocument>({
    ...{ name: 'exports', db, log, rows: exportRows, size: AT_ONCE, leaseMs: LEASE_MS, idleMs: IDLE_MS },
    idsOf: ({ _id, organization_id }) => ({ export_id: _id, organization_id }),
    async work(lease) {
      // What is being erased must not be in it, not even in part.
      if (await isErasing(db, lease.row.organization_id)) return exportRows.postpone(db, lease.row, ERASING_WAIT_MS, UNCOUNTED);
      await makeExport(context, lease);
      exportsEnded.inc({ outcome: 'completed' });
    },
    retry: {
      ...RETRY,
      passes: () => true,
      async giveUp(lease, error) {
        lease.log.error({ err: error }, 'an export failed');
        await failExport(db, lease.row);
        exportsEnded.inc({ outcome: 'failed' });
      },
    },
  });
}
