import { derivedId } from '@fanfare/runtime';
import type { Call } from '@fanfare/rpc';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { distinctUrls } from './given-urls.ts';
import { resolveMedia, type GivenMedia, type ResolvedMedia } from './resolve-media.ts';
import { beginMediaImport, giveUpMediaImport, settleMediaImport, type MediaImportDocument } from './store/media-imports.ts';
import { deleteImported } from './delete-imported.ts';

/** Longer than anybody waits for a create or an edit. */
const LAPSE_MS = 60 * 60_000;
/** After a failure an import whose answer nobody waited for may still end. */
const LATE_MS = 5 * 60_000;

/**
 * Finds or fetches what is given of media, and commits what has them. What was fetched for a commit that came to nothing is deleted again: at
 * once, and whatever happened to this process (`drop-lapsed-imports.ts`).
 * @param commit calls `settle` in its transaction
 * @throws what `resolveMedia` and the commit throw
 */
export async function withMedia<T>(
  context: Context,
  given: GivenMedia,
  call: Call,
  commit: (resolved: ResolvedMedia, settle: (session: ClientSession) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { db, library } = context;
  const urls = distinctUrls(given);
  if (urls.length === 0) return commit(await resolveMedia(library, given, given.operationId, call), async () => undefined);

  const idsOf = (importId: string) => urls.map(({ param }) => derivedId(importId, param));
  const begun = await beginMediaImport(db, call.metadata, given.operationId, LAPSE_MS, idsOf);
  try {
    const resolved = await resolveMedia(library, given, begun._id, call);
    return await commit(resolved, (session) => settleMediaImport(db, begun._id, session));
  } finally {
    await drop(context, begun).catch((error: unknown) => {
      context.log.warn({ err: error, import_id: begun._id }, 'what was fetched for nothing stays until that lapses');
    });
  }
}

/** Where it was settled there is nothing left to give up. */
async function drop(context: Context, begun: MediaImportDocument): Promise<void> {
  if (await giveUpMediaImport(context.db, begun._id, LATE_MS)) await deleteImported(context, begun);
}
