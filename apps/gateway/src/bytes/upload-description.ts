import { descriptionHeader, type UploadDescription } from '@fanfare/rpc/bytes';
import { parseUuid } from '../http/request/parse-path.ts';

/**
 * The description of a file, as a header of the request to the library.
 * @throws DomainError invalid_value if the folder id is not a UUID
 */
export function describeUpload({ folder_id, ...description }: UploadDescription): Record<string, string> {
  const folder = folder_id !== undefined && { folder_id: parseUuid('folder_id', folder_id) };
  return descriptionHeader({ ...description, ...folder });
}
