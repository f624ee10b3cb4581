import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemCall, toHeaders } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { responseOf } from './library-http.ts';
import { checkResponse } from './library-problem.ts';

/** An archive that the library has stored. */
export interface StoredArchive {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly expiresAt: Date;
}

/**
 * Streams an archive to the library while it is made. If its stream fails, the library stores nothing.
 * @throws DomainError
 */
export async function sendArchive(
  { libraryHttp }: Pick<Context, 'libraryHttp'>,
  archive: { readonly id: string; readonly organizationId: string; readonly keptMs: number; readonly bytes: Readable },
  signal: AbortSignal,
): Promise<StoredArchive> {
  const { id, organizationId, keptMs, bytes } = archive;
  const request = libraryHttp.request({
    method: 'PUT',
    path: `/archives/${id}?kept_for_seconds=${Math.ceil(keptMs / 1000)}`,
    headers: { ...toHeaders(systemCall('gateway', { organizationId })), 'content-type': 'application/zip' },
  });
  // The library may reject it before it is complete.
  const response = responseOf(request).then(checkResponse);
  const [body] = await Promise.all([response, pipeline(bytes, request, { signal })]);
  const stored = JSON.parse(body) as { size_bytes: number; sha256: string; expires_at: string };
  return { sizeBytes: stored.size_bytes, sha256: stored.sha256, expiresAt: new Date(stored.expires_at) };
}
