import { STATUS_CODES } from 'node:http';
import { json, Rejection, xml, type Reply } from '../../wire/reply.ts';

const error = (status: number, code: number, message: string): Reply => json(status, { code, message });

export const authenticationFailed = (): Reply => error(401, 2, 'Authentication failed.');

/** Any status as Pinterest's error. */
export const rejection = (status: number): Reply => error(status, status === 429 ? 8 : status, STATUS_CODES[status] ?? 'Error');

export const notFound = (): Reply => error(404, 404, 'Not found.');

export const internalError = (): Reply => error(500, 11, 'Something went wrong on our end. Sorry about that.');

export const tooManyRequests = (): Reply => error(429, 8, 'You have exceeded your rate limit. Try again later.');

export const notPermitted = (message: string): Rejection => new Rejection(error(403, 7, message));

export const notYours = (): Rejection => new Rejection(error(403, 29, 'You are not permitted to access that resource.'));

export const boardNotFound = (): Rejection => new Rejection(error(404, 40, 'Board not found.'));

export const sectionNotFound = (): Rejection => new Rejection(error(404, 2031, 'Board section not found.'));

export const adAccountNotFound = (): Rejection => new Rejection(error(404, 404, 'Ad account not found.'));

export const pinNotFound = (): Rejection => new Rejection(error(404, 50, 'Pin not found.'));

export const mediaNotFound = (): Rejection => new Rejection(error(404, 404, 'Media not found.'));

/** The request does not match the API description. */
export const invalidRequest = (problem: string): Rejection => new Rejection(error(400, 1, `Invalid request: ${problem}`));

/** The request matches, but its content is not valid. */
export const rejected = (message: string): Rejection => new Rejection(error(400, 235, message));

export const invalidGrant = (message: string): Reply => error(400, 283, message);

/** The storage is S3, which responds with XML. */
export const storageError = (status: number, code: string, message: string): Reply =>
  xml(status, `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
