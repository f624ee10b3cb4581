import type { File, FileMedia } from '@fanfare/contracts/library/documents';
import { DomainError } from '@fanfare/errors';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import { folderField } from '../folders/folder-id.ts';
import { nodeName } from '../folders/node-name.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const fileMedia = z
  .object({
    id: z.string(),
    business_id: z.uuid(),
    created_at: timestamp(),
    alt_text: z.string(),
    original_url: z.string().nullable().meta({ description: 'The URL it was imported from; null for uploads.' }),
    type: z.string().meta({ description: '`image`, `video` or `audio`.' }),
    width: z.int(),
    height: z.int(),
    source: z.string().meta({ description: '`upload`, or the URL it was imported from.' }),
  })
  .meta({ id: 'FileMedia' });

/** A text document. */
export const file = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    name: z.string(),
    path: z.string().meta({ description: 'The path from the root, with slashes. It changes when a parent folder is renamed or moved.' }),
    created_at: timestamp(),
    body_text: z.string().meta({ description: 'Markdown, unchanged.' }),
    parent_id: z.uuid().nullable().meta({ description: 'The parent folder; null for the root.' }),
    media: z.array(fileMedia).meta({
      description: 'Media of this business whose `url` appears in the text, in order of first appearance; at most 100.',
    }),
    updated_at: timestamp(),
  })
  .meta({ id: 'File' });

const MAX_CONTENT_BYTES = 8 << 20;

/** Enough for that much text if every letter is escaped, such as `\u00e9`, and for the rest of the body. */
export const FILE_BODY_BYTES = 3 * MAX_CONTENT_BYTES + (64 << 10);

const name = () => nodeName('tone-of-voice.md');
const content = () =>
  z
    .string()
    .refine((value) => value.isWellFormed(), 'contains an unpaired surrogate')
    .optional()
    .meta({ description: 'Markdown, stored unchanged. At most 8 MiB in UTF-8; more is rejected with 413 `payload_too_large`.' });

export const createFileBody = z.strictObject({ name: name(), content: content(), parent_id: folderField() }).meta({ id: 'CreateFile' });

export const updateFileBody = z
  .strictObject({ name: name().optional(), content: content(), parent_id: folderField() })
  .meta({ id: 'UpdateFile' });

/** @throws DomainError payload_too_large, before a gRPC message gets too large */
export function checkContent(given: string | undefined): string | undefined {
  if (given !== undefined && Buffer.byteLength(given) > MAX_CONTENT_BYTES) {
    throw new DomainError('payload_too_large', 'A text can have at most 8 MiB.', { param: 'content' });
  }
  return given;
}

export function fileFromProto(given: File): z.input<typeof file> {
  return {
    id: given.id,
    business_id: given.businessId,
    name: given.name,
    path: given.path,
    created_at: isoTime(given.createdAt),
    body_text: given.bodyText,
    parent_id: given.parentId ?? null,
    media: given.media.map(fileMediaFromProto),
    updated_at: isoTime(given.updatedAt),
  };
}

function fileMediaFromProto(given: FileMedia): z.input<typeof fileMedia> {
  return {
    id: given.id,
    business_id: given.businessId,
    created_at: isoTime(given.createdAt),
    alt_text: given.altText,
    original_url: given.originalUrl === '' ? null : given.originalUrl,
    type: given.type,
    width: given.width,
    height: given.height,
    source: given.source,
  };
}
