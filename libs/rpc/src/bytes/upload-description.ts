import type { IncomingHttpHeaders } from 'node:http';

/** The description of a file that is uploaded. The gateway has validated it. */
export interface UploadDescription {
  readonly file_name?: string | undefined;
  readonly folder_id?: string | undefined;
  readonly alt_text?: string | undefined;
  readonly description?: string | undefined;
}

/** Its header: Base64 of JSON, because headers cannot contain arbitrary text. */
const HEADER = 'x-media';

export const descriptionHeader = (description: UploadDescription): Record<string, string> => ({
  [HEADER]: Buffer.from(JSON.stringify(description)).toString('base64'),
});

/**
 * Reads the header that `descriptionHeader` wrote: an `UploadDescription`. Returns an empty object if there is no such header.
 * @throws SyntaxError if it is not JSON
 */
export function readDescriptionHeader(headers: IncomingHttpHeaders): unknown {
  const header = String(headers[HEADER] ?? '');
  return header === '' ? {} : JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
}
