import { STATUS_CODES } from 'node:http';
import { json, Rejection, type Reply } from '../../wire/reply.ts';

const problems = 'https://api.x.com/2/problems';

const problem = (status: number, title: string, detail: string, type = 'about:blank', more: Record<string, unknown> = {}): Reply =>
  json(status, { ...more, title, detail, type, status }, { 'content-type': 'application/problem+json' });

export const unauthorized = (): Reply => problem(401, 'Unauthorized', 'Unauthorized');

/** Any status as X's error. */
export const rejection = (status: number): Reply => problem(status, STATUS_CODES[status] ?? 'Error', 'Rejected on demand.');

export const notFound = (): Reply => problem(404, 'Not Found', 'Not Found');

export const internalError = (): Reply => problem(500, 'Internal Server Error', 'Something is broken.');

export const forbidden = (detail: string): Rejection => new Rejection(problem(403, 'Forbidden', detail));

export const notAuthorizedForResource = (detail: string): Rejection =>
  new Rejection(problem(403, 'Authorization Error', detail, `${problems}/not-authorized-for-resource`));

export const resourceNotFound = (detail: string): Rejection =>
  new Rejection(problem(404, 'Not Found Error', detail, `${problems}/resource-not-found`));

/** One of the `errors` in a lookup's response: why this post is not in the results. */
export const postNotFound = (parameter: string, id: string) => ({
  ...{ value: id, resource_id: id, parameter, resource_type: 'tweet' },
  title: 'Not Found Error',
  detail: `Could not find tweet with ${parameter}: [${id}].`,
  type: `${problems}/resource-not-found`,
});

/** The same, for media that are not the caller's, or are no video. */
export const mediaNotFound = (key: string) => ({
  ...{ value: key, resource_id: key, parameter: 'media_keys', resource_type: 'media' },
  title: 'Not Found Error',
  detail: `Could not find media with media_keys: [${key}].`,
  type: `${problems}/resource-not-found`,
});

/** The same, for a field of that post that the caller may not see. */
export const fieldRejected = (field: string, parameter: string, id: string) => ({
  ...{ value: id, resource_id: id, parameter, resource_type: 'tweet', section: 'data', field },
  title: 'Field Authorization Error',
  detail: `Sorry, you are not authorized to access '${field}' on the Tweet with ${parameter} : [${id}].`,
  type: `${problems}/not-authorized-for-field`,
});

/** All problems, as `errors[]`, in the format of X's request validation. */
export const invalidRequest = (...messages: string[]): Rejection =>
  new Rejection(
    problem(400, 'Invalid Request', 'One or more parameters to your request was invalid.', `${problems}/invalid-request`, {
      errors: messages.map((message) => ({ parameters: {}, message })),
    }),
  );

export const tooManyRequests = (): Reply => problem(429, 'Too Many Requests', 'Too Many Requests');

/** The token endpoint uses OAuth's error format, not X's problems. */
export const oauthError = (status: number, error: string, description: string): Reply =>
  json(status, { error, error_description: description });
