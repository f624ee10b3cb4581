import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@fanfare/errors';
import { TUS_PART_TYPE } from '@fanfare/rpc/bytes';
import type { Context } from '../../context.ts';
import type { RawHandlerResult, Streamed } from '../../http/raw-route.ts';
import { describeUpload } from '../upload-description.ts';
import { decodeMetadata, parseMetadata } from './read-metadata.ts';
import { relay, relayPart } from './relay.ts';
import { checkVersion, readBytes } from './tus-headers.ts';
import { writeUploadId } from './upload-id.ts';

/**
 * Creates a resumable upload, with its first bytes if the request contains them.
 * @throws DomainError
 */
export async function createUpload(
  context: Pick<Context, 'libraryHttp'>,
  streamed: Streamed,
  { mediaId }: { mediaId: string },
): Promise<RawHandlerResult> {
  const { headers } = streamed.request;
  checkVersion(headers);
  checkExtensions(headers); // Before the metadata, because partial uploads of a concatenation have none.
  const decoded = decodeMetadata(metadataOf(headers));
  const call = decoded['business_id'] === undefined ? undefined : await streamed.ofBusiness(decoded['business_id']);
  const { business_id, filename, name, alt_text, description, folder_id } = parseMetadata(decoded);
  const length = lengthOf(headers);

  const relayed = {
    method: 'POST' as const,
    mediaId,
    metadata: (call ?? (await streamed.ofBusiness(business_id))).metadata,
    headers: {
      'upload-length': String(length),
      'upload-metadata': metadataOf(headers),
      ...describeUpload({ file_name: filename ?? name, alt_text, description, folder_id }),
    },
  };
  const isWithBytes = headers['content-type'] === TUS_PART_TYPE;
  const response = await (isWithBytes ? relayPart(context, streamed, relayed) : relay(context, relayed));
  const id = writeUploadId({ businessId: relayed.metadata.businessId, mediaId });
  return { body: undefined, headers: response, location: `/api/media/uploads/${id}`, digest: digestCreation(headers) };
}

/** The digest that a repeat of the request has too, without the first bytes: the response says how many of them arrived. */
export function digestCreation(headers: IncomingHttpHeaders): string {
  return createHash('sha256')
    .update(JSON.stringify(['tus', headers['upload-length'], headers['upload-metadata']]))
    .digest('hex');
}

const metadataOf = ({ 'upload-metadata': given }: IncomingHttpHeaders): string => (typeof given === 'string' ? given : '');

/** @throws DomainError invalid_value */
function checkExtensions(headers: IncomingHttpHeaders): void {
  for (const name of ['Upload-Defer-Length', 'Upload-Concat']) {
    if (headers[name.toLowerCase()] === undefined) continue;
    const detail = `${name} belongs to a tus extension that is not supported. Send the whole file to one upload, with its size in Upload-Length.`;
    throw new DomainError('invalid_value', detail, { param: name });
  }
}

/** @throws DomainError missing_field, invalid_value */
function lengthOf(headers: IncomingHttpHeaders): number {
  const length = readBytes(headers, 'Upload-Length');
  if (length === 0) throw new DomainError('invalid_value', 'The file is empty.', { param: 'Upload-Length' });
  return length;
}
