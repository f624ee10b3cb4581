import type { Lease } from '@fanfare/leased-work';
import type { FetchedResponse } from '@fanfare/guarded-http';
import { newId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { saveStaging, type IntakeDocument } from './store/intakes.ts';
import { ACCEPTED_MEDIA } from './accepted-media.ts';
import { withinRoom } from '../storage/within-room.ts';

/**
 * Fetches the missing bytes of an intake's URL into a staged blob. Bytes are durable as they arrive, so that the next attempt, on any replica, requests
 * only the rest, if the server supports ranges and the file there has not changed.
 * @returns the id of the complete blob
 * @throws FetchError; DomainError rate_limit_exceeded if the storage of the organization is full
 */
export async function fetchToStaging(context: Context, lease: Lease<IntakeDocument>): Promise<string> {
  const { blobs, config, db, web } = context;
  const { staging_blob_id: staged, fetched, url = '' } = lease.row;
  const storedBytes = staged === undefined ? 0 : ((await blobs.size(staged)) ?? 0);
  if (staged !== undefined && storedBytes === fetched?.total_bytes) return staged;

  const { maxBytes, timeoutMs } = config.intakes;
  const validator = storedBytes > 0 ? fetched?.validator : undefined;
  const resume = validator === undefined ? undefined : { offset: storedBytes, validator };
  const options = { timeoutMs, accept: ACCEPTED_MEDIA, signal: lease.signal, ...(resume && { resume }) };
  const stage = async (response: FetchedResponse) => {
    const blobId = response.offset > 0 && staged !== undefined ? staged : await restart(context, lease, response);
    const total_bytes = await blobs.append(blobId, response.offset, response.body);
    lease.row = await saveStaging(db, lease.row, { staging_blob_id: blobId, fetched: { ...lease.row.fetched, total_bytes } });
    return blobId;
  };
  const limits = parseStorageLimits(lease.row.storage_limits);
  const room = { organizationId: lease.row.organization_id, limits, maxBytes };
  return withinRoom(context, room, (most) => web.fetch(url, { ...options, maxBytes: most }, stage));
}

/** Starts a new blob. Deletes the old one first: a row may name a deleted blob, but a blob that no row names would never be deleted. */
async function restart({ blobs, db }: Context, lease: Lease<IntakeDocument>, { totalBytes, validator }: FetchedResponse): Promise<string> {
  if (lease.row.staging_blob_id !== undefined) await blobs.remove(lease.row.staging_blob_id);
  const staging_blob_id = newId();
  lease.row = await saveStaging(db, lease.row, {
    staging_blob_id,
    fetched: { ...(totalBytes !== undefined && { total_bytes: totalBytes }), ...(validator !== undefined && { validator }) },
  });
  return staging_blob_id;
}
