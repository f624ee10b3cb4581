import { DomainError } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { MediaImportDocument } from './store/media-imports.ts';

/**
 * Deletes the media that were fetched for a request that failed. Media that are in use by now are not deleted: they are media of the library like any other.
 * @returns false if at least one could not be deleted yet
 */
export async function deleteImported({ library, log }: Pick<Context, 'library' | 'log'>, dropped: MediaImportDocument): Promise<boolean> {
  const { _id, organization_id: organizationId, business_id: businessId, media_ids: mediaIds } = dropped;
  const call = { metadata: systemCall('content', { organizationId, businessId }) };
  let isDone = true;
  for (const mediaId of mediaIds) {
    const request = { operationId: derivedId(_id, `delete:${mediaId}`), mediaId, expectedRevisions: [], force: false };
    try {
      await library.deleteMedia(request, { call });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'resource_not_found') continue;
      isDone = false;
      log.info({ err: error, media_id: mediaId }, 'could not delete media fetched for a request that failed; retrying later');
    }
  }
  return isDone;
}
