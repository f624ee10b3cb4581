import { DomainError } from '@fanfare/errors';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { inTime } from './in-time.ts';
import { parseBody } from './parse-body.ts';
import { readBytes } from './read-bytes.ts';

export const MAX_FORM_BYTES = 16 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset="?utf-8"? *)?$/i;

/**
 * Reads a small, flat form with every field once. A request without a body and without a Content-Type counts as an empty form.
 * @throws DomainError unsupported_media_type, payload_too_large, invalid_request
 */
export function readForm(): (request: Request, response: Response) => Promise<unknown> {
  const read = readBytes('A form', MAX_FORM_BYTES);
  return async (request, response) => {
    const contentType = request.headers['content-type'];
    if (contentType !== undefined && !FORM_TYPE.test(contentType)) throw wrongType();
    const bytes = await read(request, response);
    if (contentType === undefined && bytes.length > 0) throw wrongType();
    const fields = [...new URLSearchParams(decode(bytes))];
    const names = fields.map(([name]) => name);
    if (new Set(names).size < names.length) throw new DomainError('invalid_request', 'The form contains a field twice.');
    return Object.fromEntries(fields);
  };
}

/**
 * Reads a form and parses it with a schema.
 * @throws DomainError also invalid_request when it does not arrive in time, validation_failed and missing_field
 */
export function parseForm<T extends z.ZodType>(schema: T): (request: Request, response: Response) => Promise<z.output<T>> {
  const read = readForm();
  const parse = parseBody(schema);
  return async (request, response) => parse(await inTime(request, response, read(request, response))) as z.output<T>;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DomainError('invalid_request', 'The body is not a form in UTF-8.', { cause: error });
  }
}

const wrongType = () => new DomainError('unsupported_media_type', 'Send the body with "Content-Type: application/x-www-form-urlencoded".');
