import { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import { parseBody } from '../../http/request/parse-body.ts';
import { text } from '../../text/text.ts';
import { descriptionParts } from '../upload-parts.ts';

/** The names that clients of the protocol use: tus-js-client sends `filename`, Uppy also `name`. Other names are ignored. */
const metadata = z.object({
  business_id: text(100),
  ...descriptionParts,
  filename: text(20_000).optional(),
  name: text(20_000).optional(),
});

const PAIR = /^([\x21-\x2b\x2d-\x7e]+)(?: ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?))?$/;

/**
 * Decodes the `Upload-Metadata` header.
 * @throws DomainError invalid_value
 */
export function decodeMetadata(header: string | undefined): Record<string, string> {
  const pairs = header === undefined || header === '' ? [] : header.split(',').map((pair) => PAIR.exec(pair));
  const names = pairs.map((pair) => pair?.[1]);
  if (names.includes(undefined) || new Set(names).size < names.length) {
    throw new DomainError('invalid_value', 'Upload-Metadata must be a list of unique names, each with its value in Base64.', {
      param: 'Upload-Metadata',
    });
  }
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Buffer.from(pair?.[2] ?? '', 'base64').toString('utf8')]));
}

/**
 * Parses the description of the file.
 * @throws DomainError validation_failed and missing_field, as for a body
 */
export const parseMetadata = parseBody(metadata) as (decoded: Record<string, string>) => z.output<typeof metadata>;
