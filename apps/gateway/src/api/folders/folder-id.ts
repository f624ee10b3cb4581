import { isUuid } from '@fanfare/runtime';
import { z } from 'zod';
import { parseUuid } from '../../http/request/parse-path.ts';
import { text } from '../../text/text.ts';

/** A folder to list, in the query; null is the root. */
export const folderParam = () =>
  z
    .string({ error: 'must be given once' })
    .refine((id) => id === 'null' || isUuid(id), 'must be a UUID, or null')
    .transform((id) => (id === 'null' ? null : id.toLowerCase()))
    .default(null)
    .meta({ type: 'string', default: undefined, description: 'The folder to list; the root if missing or `null`.' });

/** A parent folder in a body. Accepts any text: `readFolderId` rejects what is not a UUID, with invalid_value instead of validation_failed. */
export const folderField = () => text(100).nullish().meta({ description: 'The parent folder; null for the root.' });

/**
 * As the library service expects it: an empty string means the root.
 * @throws DomainError invalid_value
 */
export function readFolderId(given: string | null | undefined, param = 'folder_id'): string | undefined {
  if (given === undefined) return undefined;
  return given === null ? '' : parseUuid(param, given);
}
