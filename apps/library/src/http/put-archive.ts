import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@fanfare/errors';
import { fromHeaders } from '@fanfare/rpc';
import { isUuid } from '@fanfare/runtime';
import { storeArchive } from '../archives/store-archive.ts';
import type { Context } from '../context.ts';

const MAX_DAYS = 31;

/** Stores the body of the request as the archive of an export. The headers have the call metadata; `kept_for_seconds` says when it expires. */
export async function putArchive(
  context: Context,
  { id, url }: { id: string; url: URL },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { organizationId } = fromHeaders(request.headers);
  if (!isUuid(id)) throw new DomainError('invalid_value', 'The id is not a UUID.', { param: 'archive_id' });
  if (organizationId === '') throw new Error('The call metadata lacks the organization.');
  const keptSeconds = Number(url.searchParams.get('kept_for_seconds'));
  if (!(keptSeconds > 0 && keptSeconds <= MAX_DAYS * 24 * 3600)) {
    throw new DomainError('invalid_value', `An archive is kept for at most ${MAX_DAYS} days.`, { param: 'kept_for_seconds' });
  }
  const source = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  // If it cannot be stored, the rest is read and discarded, so that the sender can read the error.
  const stored = await storeArchive(context, { id, organizationId, source, keptMs: keptSeconds * 1000 }).finally(() => request.resume());
  const { size_bytes, sha256, expires_at } = stored;
  const body = JSON.stringify({ size_bytes, sha256, expires_at: expires_at.toISOString() });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}
