import type { Call } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { deleteImported } from './delete-imported.ts';
import { distinctUrls } from './given-urls.ts';
import type { GivenMedia } from './resolve-media.ts';
import { beginMediaImport, abandonMediaImport, completeMediaImport, type MediaImportDocument } from './store/media-imports.ts';

/** Longer than any create or edit takes. */
const EXPIRE_AFTER_MS = 60 * 60_000;
/** After a request has failed, the library may still be storing media for it. They are deleted after this time. */
const LATE_IMPORT_MS = 5 * 60_000;

/** The media that a create or an edit fetches. They are deleted when this is disposed of, unless a transaction that completed it has committed. */
export interface MediaImport extends AsyncDisposable {
  /** The ids of the fetched media derive from it. */
  readonly id: string;
  /**
   * Makes the media belong to the post. Call it in the transaction that saves the post.
   * @throws Error if the import has been given up
   */
  complete(session: ClientSession): Promise<void>;
}

/**
 * Records the media that a request is about to fetch. If the request fails, they are deleted when the import is disposed of; if the process ends before
 * that, `delete-expired-imports.ts` deletes them. If there is nothing to fetch, nothing is recorded.
 */
export async function beginImport(context: Context, given: GivenMedia, { metadata }: Call): Promise<MediaImport> {
  const urls = distinctUrls(given);
  if (urls.length === 0) return nothingFetched(given);
  const idsOf = (importId: string) => urls.map(({ param }) => derivedId(importId, param));
  const begun = await beginMediaImport(context.db, metadata, given.operationId, EXPIRE_AFTER_MS, idsOf);
  return {
    id: begun._id,
    complete: (session) => completeMediaImport(context.db, begun._id, session),
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
  complete: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
});

/** Gives the import up, unless it was completed. */
async function drop(context: Context, begun: MediaImportDocument): Promise<void> {
  if (await abandonMediaImport(context.db, begun._id, LATE_IMPORT_MS)) await deleteImported(context, begun);
}
