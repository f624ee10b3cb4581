import { DomainError, notFound } from '@fanfare/errors';
import type { Lease } from '@fanfare/leased-work';
import { CURRENT_VERSION } from '@fanfare/resources';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { completeExport, type ExportDocument, findMembership } from '../accounts/index.ts';
import { sendArchive, type StoredArchive } from '../bytes/send-archive.ts';
import type { Context } from '../context.ts';
import { exportedFiles } from './exported-files.ts';
import { readOperations } from './read-operations.ts';
import { openArchive } from './write-archive.ts';

/** Makes an export from the beginning, or completes one whose process died after the library had stored it. @throws LeaseLost */
export async function makeExport(context: Context, lease: Lease<ExportDocument>): Promise<void> {
  const stored = (await findStored(context, lease.row)) ?? (await make(context, lease));
  await completeExport(context.db, lease.row, stored);
  lease.log.info({ size_bytes: stored.sizeBytes }, 'an export is complete');
}

async function make(context: Context, { row, signal, log }: Lease<ExportDocument>): Promise<StoredArchive> {
  const { _id: id, organization_id: organizationId, requested_by: actor, created_at } = row;
  const organization = await findMembership(context.db, organizationId, 'owner');
  if (!organization) throw notFound('organization');
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const requestId = `req_${newId()}`;
  const reader = { organization, userId: actor.split(':')[1] ?? '', requestId, signal: ending };
  const described = {
    organization_id: organizationId,
    export_id: id,
    begun_at: created_at.toISOString(),
    service_version: CURRENT_VERSION,
  };
  const archive = openArchive(described, context.archiveSignatures, ending);
  const files = exportedFiles(context, readOperations(context, reader), organizationId);
  try {
    // If one of them fails, the other one ends.
    const [stored, resources] = await Promise.all([
      sendArchive(context, { id, organizationId, keptMs: context.config.exportKeptMs, bytes: archive.bytes }, ending),
      archive.fill(files),
    ]);
    log.info({ resources, request_id: requestId }, 'an archive is stored');
    return stored;
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

async function findStored({ library }: Context, row: ExportDocument): Promise<StoredArchive | undefined> {
  if ((row.attempts ?? 0) <= 1) return undefined;
  const call = { metadata: systemCall('gateway', { organizationId: row.organization_id }) };
  try {
    const { sizeBytes, sha256, expiresAt } = await library.signArchiveUrl({ archiveId: row._id, validForSeconds: 3600 }, { call });
    if (!expiresAt) throw new Error('The library returned no time.');
    return { sizeBytes, sha256, expiresAt };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'resource_not_found') return undefined;
    throw error;
  }
}
