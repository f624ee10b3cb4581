import type { IncomingHttpHeaders } from 'node:http';

/** What the library is told of a file beside its bytes; the gateway has checked what callers said. */
export interface UploadDescription {
  readonly file_name?: string | undefined;
  readonly folder_id?: string | undefined;
  readonly alt_text?: string | undefined;
  readonly description?: string | undefined;
}

/** The header that it travels in, Base64 of JSON: text of any script does not fit into one as it is. */
const HEADER = 'x-media';

export const descriptionHeader = (description: UploadDescription): Record<string, string> => ({
  [HEADER]: Buffer.from(JSON.stringify(description)).toString('base64'),
});

/**
 * An `UploadDescription`, where it comes from `descriptionHeader`; empty without the header.
 * @throws SyntaxError when it is no JSON
 */
export function readDescriptionHeader(headers: IncomingHttpHeaders): unknown {
  const header = String(headers[HEADER] ?? '');
  return header === '' ? {} : JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
}
