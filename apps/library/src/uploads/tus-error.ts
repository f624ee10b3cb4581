import { DomainError } from '@fanfare/errors';
import { OffsetConflict } from '../blobs/store/blob-store.ts';

/** Converts what @tus/server, our data store or the blob store threw. Undefined for internal errors. */
export function tusError(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof OffsetConflict) return conflict(thrown.size);
  const { status_code: status } = thrown as { status_code?: number };
  switch (status) {
    case 400:
      return new DomainError('invalid_request', 'The request body was cut off.');
    case 404:
    case 410:
      return new DomainError('resource_not_found', 'The upload does not exist or has expired.');
    case 409:
      return conflict();
    case 413:
      return new DomainError('payload_too_large', 'The upload has more bytes than Upload-Length.', { param: 'file' });
    default:
      return undefined;
  }
}

const conflict = (size?: number) =>
  new DomainError(
    'upload_conflict',
    size === undefined ? 'The upload is at another offset. Send HEAD to get it.' : `The upload is at offset ${size}.`,
    {
      param: 'Upload-Offset',
    },
  );
