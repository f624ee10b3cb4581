import { randomBytes } from 'node:crypto';
import { json, Rejection, type Reply } from '../../wire/reply.ts';

const logId = () => `2026${randomBytes(14).toString('hex').toUpperCase()}`;

/** Every response has an `error`, with the code `ok` for success. */
export const ok = (data: Record<string, unknown>): Reply => json(200, { data, error: { code: 'ok', message: '', log_id: logId() } });

export const errorReply = (status: number, code: string, message: string): Reply =>
  json(status, { data: {}, error: { code, message, log_id: logId() } });

export const reject = (status: number, code: string, message: string): Rejection => new Rejection(errorReply(status, code, message));

export const invalidParams = (message: string): Rejection => reject(400, 'invalid_params', message);

export const invalidToken = (): Reply =>
  errorReply(401, 'access_token_invalid', 'The access token is invalid or not found in the request.');

export const scopeNotAuthorized = (): Reply =>
  errorReply(401, 'scope_not_authorized', 'The user did not authorize the scope required for completing this request.');

export const notFound = (): Reply => errorReply(404, 'unsupported_path', 'Unsupported path(Janus)');

export const internalError = (): Reply => errorReply(500, 'internal_error', 'Something is wrong, please try again later.');

/** Any status as TikTok's error. */
export function rejection(status: number): Reply {
  if (status >= 500) return errorReply(status, 'internal_error', 'Rejected on demand.');
  const codes: Record<number, string> = { 401: 'access_token_invalid', 403: 'spam_risk', 429: 'rate_limit_exceeded' };
  return errorReply(status, codes[status] ?? 'invalid_params', 'Rejected on demand.');
}

/** The OAuth endpoints have flat errors. */
export const oauthError = (status: number, error: string, description: string): Reply =>
  json(status, { error, error_description: description, log_id: logId() });
