import { parseUuid } from '../http/request/parse-path.ts';

/** What the library is told of a file beside its bytes; in the names that its port for bytes reads. */
export interface UploadDescription {
  readonly file_name?: string | undefined;
  readonly folder_id?: string | undefined;
  readonly alt_text?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * The header that it travels in: text of any script does not fit into one as it is.
 * @throws DomainError invalid_value for a folder that is no UUID
 */
export function descriptionHeader({ folder_id, ...description }: UploadDescription): Record<string, string> {
  const folder = folder_id !== undefined && { folder_id: parseUuid('folder_id', folder_id) };
  return { 'x-media': Buffer.from(JSON.stringify({ ...description, ...folder })).toString('base64') };
}
