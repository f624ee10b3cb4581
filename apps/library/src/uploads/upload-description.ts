import type { IncomingHttpHeaders } from 'node:http';
import { readDescriptionHeader, type UploadDescription } from '@fanfare/rpc/bytes';
import { z } from 'zod';
import { cleanFileName } from '../documents/domain/file-name.ts';

/** The description of an uploaded file. */
const description = z.object({
  file_name: z.string().transform(cleanFileName).default(''),
  folder_id: z.string().optional(),
  alt_text: z.string().default(''),
  description: z.string().default(''),
} satisfies Record<keyof UploadDescription, z.ZodType>);

export type Description = z.output<typeof description>;

/** @throws Error if the header is not valid: the gateway never sends that */
export const readDescription = (headers: IncomingHttpHeaders): Description => description.parse(readDescriptionHeader(headers));
