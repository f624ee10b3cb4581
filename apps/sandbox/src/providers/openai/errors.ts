import { json, Rejection, type Reply } from '../../wire/reply.ts';

const error = (status: number, type: string, message: string, param: string | null = null, code: string | null = null): Reply =>
  json(status, { error: { message, type, param, code } });

export const notFound = (): Reply => error(404, 'invalid_request_error', 'Invalid URL');

export const invalidKey = (): Reply =>
  error(401, 'invalid_request_error', 'Incorrect API key provided. You can find your API key in your account.', null, 'invalid_api_key');

export const internalError = (): Reply => error(500, 'server_error', 'The server had an error while processing your request.');

/** Any status in the provider's format. */
export function rejection(status: number): Reply {
  if (status === 401) return invalidKey();
  if (status === 429)
    return error(429, 'requests', 'Rate limit reached for requests. Please try again later.', null, 'rate_limit_exceeded');
  return status >= 500 ? { ...internalError(), status } : error(status, 'invalid_request_error', 'Rejected on demand.');
}

export const invalid = (message: string, param: string | null, code: string | null = null): Rejection =>
  new Rejection(error(400, 'invalid_request_error', message, param, code));

export const unknownModel = (model: string): Rejection =>
  new Rejection(
    error(404, 'invalid_request_error', `The model \`${model}\` does not exist or you do not have access to it.`, null, 'model_not_found'),
  );

export const unknownVideo = (id: string): Rejection =>
  new Rejection(error(404, 'invalid_request_error', `Video with id '${id}' not found.`, null, 'not_found'));
