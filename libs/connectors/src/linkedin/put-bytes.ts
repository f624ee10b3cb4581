import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { MAX_RESTARTS } from './limits.ts';
import type { Upload } from './progress.ts';
import type { Save } from './upload.ts';

/**
 * Sends bytes to an upload URL of LinkedIn. Such a URL expires; the upload is then started over.
 * @throws PlatformFailure
 */
export async function putBytes(
  { http }: Pick<Call, 'http'>,
  { url, headers, bytes }: { url: string; headers: Record<string, string>; bytes: Buffer },
  { restarts = 0 }: Upload,
  save: Save,
): Promise<PlatformResponse> {
  const response = await http.send({ method: 'PUT', url, headers, body: { bytes } });
  const { status } = response;
  if (status < 300) return response;
  const detail = { status };
  if (status < 400 || status >= 500 || status === 408 || status === 429) {
    throw new PlatformFailure('transient', 'LinkedIn does not accept uploads at the moment.', { effect: 'unknown', detail });
  }
  if (restarts >= MAX_RESTARTS) {
    throw new PlatformFailure('media_processing_failed', 'LinkedIn did not accept the upload.', { effect: 'rejected', detail });
  }
  throw new PlatformFailure('transient', 'LinkedIn rejected the upload. It starts over.', {
    effect: 'rejected',
    detail,
    retryFrom: save({ restarts: restarts + 1 }).state,
  });
}
