import { descriptionHeader, type UploadDescription } from '@fanfare/rpc/bytes';
import { parseUuid } from '../http/request/parse-path.ts';

/**
 * What the library is told of a file beside its bytes, as a header.
 * @throws DomainError invalid_value for a folder that is no UUID
 */
export function describeUpload({ folder_id, ...description }: UploadDescription): Record<string, string> {
  const folder = folder_id !== undefined && { folder_id: parseUuid('folder_id', folder_id) };
  return descriptionHeader({ ...description, ...folder });
}
