import type { Call } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { deleteImported } from './delete-imported.ts';
import { distinctUrls } from './given-urls.ts';
import type { GivenMedia } from './resolve-media.ts';
import { beginMediaImport, abandonMediaImport, completeMediaImport, type MediaImportDocument } from './store/media-imports.ts';

/** Longer than anybody waits for a create or an edit. */
const LAPSE_MS = 60 * 60_000;
/** After a failure an import whose response nobody waited for may still end. */
const LATE_MS = 5 * 60_000;

/** What a create or an edit fetches. When it is disposed of before a transaction that settled it has committed, its media are deleted again. */
export interface MediaImport extends AsyncDisposable {
  /** Ids of what is fetched derive from it. */
  readonly id: string;
  /**
   * To be called in the transaction that makes a post have the media: from then on they are the post's.
   * @throws Error when they have been given up
   */
  settle(session: ClientSession): Promise<void>;
}

/**
 * Writes down what is about to be fetched for a request, so that what comes to nothing is deleted again: when the import is disposed of, and
 * whatever happened to this process (`delete-expired-imports.ts`). Where there is nothing to fetch, nothing is written.
 */
export async function beginImport(context: Context, given: GivenMedia, { metadata }: Call): Promise<MediaImport> {
  const urls = distinctUrls(given);
  if (urls.length === 0) return nothingFetched(given);
  const idsOf = (importId: string) => urls.map(({ param }) => derivedId(importId, param));
  const begun = await beginMediaImport(context.db, metadata, given.operationId, LAPSE_MS, idsOf);
  return {
    id: begun._id,
    settle: (session) => completeMediaImport(context.db, begun._id, session),
    async [Symbol.asyncDispose]() {
      await drop(context, begun).catch((error: unknown) => {
        context.log.warn(
          { err: error, import_id: begun._id },
          'could not delete media fetched for a request that failed; they are deleted when the import expires',
        );
      });
    },
  };
}

const nothingFetched = ({ operationId }: GivenMedia): MediaImport => ({
  id: operationId,
  settle: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
});

/** Where it was settled there is nothing left to give up. */
async function drop(context: Context, begun: MediaImportDocument): Promise<void> {
  if (await abandonMediaImport(context.db, begun._id, LATE_MS)) await deleteImported(context, begun);
}
