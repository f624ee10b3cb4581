import { html, json, Rejection, type Reply } from '../../wire/reply.ts';

const codes: Record<number, string> = {
  400: 'ILLEGAL_ARGUMENT',
  401: 'INVALID_ACCESS_TOKEN',
  403: 'ACCESS_DENIED',
  404: 'RESOURCE_NOT_FOUND',
  409: 'CONFLICT',
  426: 'NONEXISTENT_VERSION',
  429: 'TOO_MANY_REQUESTS',
};

const problem = (status: number, code: string | undefined, message: string, more: Record<string, unknown> = {}): Reply =>
  json(status, { status, ...(code !== undefined && { code }), message, ...more });

/** Any status as LinkedIn's error. */
export const rejection = (status: number): Reply =>
  problem(status, codes[status] ?? (status >= 500 ? 'INTERNAL_SERVER_ERROR' : undefined), 'Rejected on demand.');

export const internalError = (): Reply => problem(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error');

export const notFound = (): Reply => problem(404, 'RESOURCE_NOT_FOUND', 'No virtual resource found');

const tokenProblem = (code: string, serviceErrorCode: number, message: string) => problem(401, code, message, { serviceErrorCode });

export const revokedToken = (): Reply =>
  tokenProblem('REVOKED_ACCESS_TOKEN', 65_601, 'The token used in the request has been revoked by the user');
export const expiredToken = (): Reply => tokenProblem('EXPIRED_ACCESS_TOKEN', 65_602, 'The token used in the request has expired');
export const unknownToken = (): Reply => tokenProblem('INVALID_ACCESS_TOKEN', 65_600, 'Invalid access token');
export const noToken = (): Reply => tokenProblem('INVALID_ACCESS_TOKEN', 65_604, 'Empty oauth2 access token');

export const reject = (status: number, code: string, message: string): Rejection => new Rejection(problem(status, code, message));

export const illegalArgument = (message: string): Rejection => reject(400, 'ILLEGAL_ARGUMENT', message);

export const accessDenied = (message: string): Rejection => reject(403, 'ACCESS_DENIED', message);

/** Schema errors have no code. */
export const unprocessable = (message: string): Rejection => new Rejection(problem(422, undefined, message));

/** Content errors have their codes in details. */
const badContent = (status: number, message: string, inputError: Record<string, unknown>): Rejection =>
  new Rejection(
    problem(status, undefined, `com.linkedin.content.common.exception.BadRequestResponseException: ${message}`, {
      errorDetailType: 'com.linkedin.common.error.BadRequest',
      errorDetails: { inputErrors: [{ input: {}, ...inputError }] },
    }),
  );

export const duplicatePost = (urn: string): Rejection =>
  badContent(422, `Content is a duplicate of ${urn}`, { description: 'Duplicate post is detected', code: 'DUPLICATE_POST' });

export const commentaryTooLong = (length: number, maxLength: number): Rejection =>
  badContent(400, `ShareCommentary text length (${length} characters) exceeded the maximum allowed (${maxLength} characters)`, {
    description: 'Size of array cannot be higher than the maxLength',
    code: 'FIELD_ARRAY_SIZE_TOO_HIGH',
    maxLength,
  });

/** The upload servers are not part of the API and respond with HTML pages. */
export const uploadRejected = (status: number, why: string): Rejection =>
  new Rejection(html(status, `<html><head><title>Error ${status}</title></head><body><h1>${why}</h1></body></html>`));

/** The token endpoint uses OAuth's error format. */
export const oauthError = (status: number, error: string, description: string): Reply =>
  json(status, { error, error_description: description });
