import { DomainError } from '@fanfare/errors';
import type { Request, Response } from 'express';
import { boundJson } from './bound-json.ts';
import { readBytes } from './read-bytes.ts';

const MIB = 1024 * 1024;

/** RFC 8259, 8.1: JSON between systems is UTF-8. */
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

/**
 * Reads JSON bodies of at most `maxBytes`. No body and no Content-Type count as {}. Members called __proto__ stay plain members, as JSON.parse makes them.
 * @throws DomainError unsupported_media_type, payload_too_large, invalid_request for invalid JSON, or validation_failed when it is larger than any
 * schema accepts
 */
export function readJson(maxBytes = MIB): (request: Request, response: Response) => Promise<unknown> {
  const read = readBytes('A JSON body', maxBytes);
  return async (request, response) => {
    const contentType = request.headers['content-type'];
    if (contentType !== undefined && !JSON_TYPE.test(contentType)) throw wrongType();
    const bytes = await read(request, response);
    if (contentType === undefined) {
      if (bytes.length === 0) return {};
      throw wrongType();
    }
    if (bytes.length === 0) {
      throw new DomainError(
        'invalid_request',
        'The body is empty. Send JSON, such as {}, or omit Content-Type if the operation has no body.',
      );
    }
    const json = parse(bytes);
    boundJson(json);
    return json;
  };
}

/** @throws DomainError */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new DomainError('invalid_request', 'The body is not valid JSON in UTF-8.', { cause: error });
  }
}

function wrongType(): DomainError {
  return new DomainError('unsupported_media_type', 'Send the body with "Content-Type: application/json".');
}
