import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { cleanFileName } from '../documents/domain/file-name.ts';

/** What was said of a file beside its bytes, in the names of the header's JSON. */
const description = z.object({
  file_name: z.string().transform(cleanFileName).default(''),
  folder_id: z.string().optional(),
  alt_text: z.string().default(''),
  description: z.string().default(''),
});

export type UploadDescription = z.output<typeof description>;

/**
 * Reads the header `x-media`, Base64 of JSON: the gateway has checked what callers said.
 * @throws Error when it is not what the gateway writes
 */
export function readDescription(headers: IncomingHttpHeaders): UploadDescription {
  const header = String(headers['x-media'] ?? '');
  return description.parse(header === '' ? {} : JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
}
