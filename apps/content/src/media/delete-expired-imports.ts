import { LeaseLost } from '@fanfare/leased-work';
import { currentMs, type Loop, startLoop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deleteImported } from './delete-imported.ts';
import { closeMediaImport, mediaImportRows, type MediaImportDocument } from './store/media-imports.ts';

const PERIOD_MS = 60_000;
const RETRY_MS = 10 * 60_000;
/** What somebody needs that long is theirs. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/** Deletes what was fetched for posts that were never saved, such as by a process that was killed. Any number of replicas may run it. */
export function startDeletingExpiredImports(context: Context): Loop {
  return startLoop({
    name: 'lapsed-media-imports',
    log: context.log,
    run: async () => ((await deleteExpiredImport(context)) ? 0 : PERIOD_MS),
  });
}

/** @returns false when there was none */
export async function deleteExpiredImport(context: Pick<Context, 'db' | 'library' | 'log'>): Promise<boolean> {
  // What cannot be deleted yet is left with its lease, and so asked for again when that ends.
  const expired = await mediaImportRows.leaseDue(context.db, RETRY_MS);
  if (!expired) return false;
  try {
    await deleteMediaOf(context, expired);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
  return true;
}

async function deleteMediaOf(context: Pick<Context, 'db' | 'library' | 'log'>, expired: MediaImportDocument): Promise<void> {
  const closed = await closeMediaImport(context.db, expired);
  const isOld = currentMs() - closed.created_at.getTime() > GIVE_UP_MS;
  if ((await deleteImported(context, closed)) || isOld) await mediaImportRows.end(context.db, closed);
}
