import { currentMs, type Loop, startLoop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deleteImported } from './delete-imported.ts';
import { forgetMediaImport, leaseExpiredMediaImport } from './store/media-imports.ts';

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
  const lapsed = await leaseExpiredMediaImport(context.db, RETRY_MS);
  if (!lapsed) return false;
  const isOld = currentMs() - lapsed.created_at.getTime() > GIVE_UP_MS;
  if ((await deleteImported(context, lapsed)) || isOld) await forgetMediaImport(context.db, lapsed._id);
  return true;
}
