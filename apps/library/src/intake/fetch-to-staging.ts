import type { Lease } from '@fanfare/leased-work';
import type { FetchedResponse } from '@fanfare/guarded-http';
import { newId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { saveStaging, type IntakeDocument } from './store/intakes.ts';
import { ACCEPTED_MEDIA } from './accepted-media.ts';
import { withinRoom } from '../storage/within-room.ts';

/**
 * Fetches what is missing of an intake's URL into a staged blob. What comes is stored for good as it comes, so that another attempt, by whatever
 * replica, asks for the rest alone, where the server can do that and the file there is still the same.
 * @returns the blob, with all of the bytes
 * @throws FetchError; DomainError rate_limit_exceeded when the organization has no room for it
 */
export async function fetchToStaging(context: Context, lease: Lease<IntakeDocument>): Promise<string> {
  const { blobs, config, db, web } = context;
  const { staging_blob_id: staged, fetched, url = '' } = lease.row;
  const here = staged === undefined ? 0 : ((await blobs.size(staged)) ?? 0);
  if (staged !== undefined && here === fetched?.total_bytes) return staged;

  const { maxBytes, timeoutMs } = config.intakes;
  const validator = here > 0 ? fetched?.validator : undefined;
  const resume = validator === undefined ? undefined : { offset: here, validator };
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

/** Begins a blob. What was staged goes first: a row that names a blob which is gone does no harm, a blob that no row names stays for ever. */
async function restart({ blobs, db }: Context, lease: Lease<IntakeDocument>, { totalBytes, validator }: FetchedResponse): Promise<string> {
  if (lease.row.staging_blob_id !== undefined) await blobs.remove(lease.row.staging_blob_id);
  const staging_blob_id = newId();
  lease.row = await saveStaging(db, lease.row, {
    staging_blob_id,
    fetched: { ...(totalBytes !== undefined && { total_bytes: totalBytes }), ...(validator !== undefined && { validator }) },
  });
  return staging_blob_id;
}
