import { startWorker, type Lease, type Worker } from '@fanfare/leased-work';
import { currentMs } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deleteImported } from './delete-imported.ts';
import { closeMediaImport, mediaImportRows, type MediaImportDocument } from './store/media-imports.ts';

const SIZE = 4;
const LEASE_MS = 60_000;
const IDLE_MS = 60_000;
const RETRY_MS = 10 * 60_000;
/** Media that a post has needed for that long stay. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/** Deletes media that were fetched for posts that were never saved, for example by a process that was killed. */
export function startDeletingExpiredImports(context: Pick<Context, 'db' | 'library' | 'log'>): Worker {
  const { db, log } = context;
  return startWorker<MediaImportDocument>({
    name: 'expired-media-imports',
    db,
    log,
    rows: mediaImportRows,
    size: SIZE,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS,
    idsOf: ({ _id, organization_id, business_id }) => ({ import_id: _id, organization_id, business_id }),
    work: (lease) => deleteMedia(context, lease),
  });
}

async function deleteMedia({ db, library }: Pick<Context, 'db' | 'library'>, { row, log }: Lease<MediaImportDocument>): Promise<void> {
  const closed = await closeMediaImport(db, row);
  const isOld = currentMs() - closed.created_at.getTime() > GIVE_UP_MS;
  if ((await deleteImported({ library, log }, closed)) || isOld) await mediaImportRows.end(db, closed);
  else await mediaImportRows.postpone(db, closed, RETRY_MS);
}
