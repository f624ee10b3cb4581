import { json, Rejection, type Reply } from '../../wire/reply.ts';

interface More {
  /** The older APIs' `errors[0]`; absent in newer ones. */
  reason?: string;
  domain?: string;
  location?: string;
  locationType?: 'parameter' | 'header';
  details?: Record<string, unknown>[];
}

/** `{error: {code, message, status, errors?, details?}}`, the body of every error of Google's APIs. */
function googleError(code: number, status: string, message: string, more: More = {}): Reply {
  const { reason, domain = 'global', location, locationType, details } = more;
  return json(code, {
    error: {
      code,
      message,
      ...(reason !== undefined && {
        errors: [{ message, domain, reason, ...(location !== undefined && { location, locationType: locationType ?? 'parameter' }) }],
      }),
      status,
      ...(details && { details }),
    },
  });
}

export const reject = (...error: Parameters<typeof googleError>): Rejection => new Rejection(googleError(...error));

export const unauthenticated = (): Reply =>
  googleError(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    { reason: 'authError', location: 'Authorization', locationType: 'header' },
  );

export const insufficientScopes = (): Rejection =>
  reject(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', {
    reason: 'insufficientPermissions',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', domain: 'googleapis.com' }],
  });

/** One field of the request and what is wrong with it. */
interface Violation {
  field: string;
  description: string;
}

export const invalidArgument = (violations: Violation[]): Rejection =>
  reject(400, 'INVALID_ARGUMENT', violations.map(({ description }) => description).join('\n'), {
    reason: 'badRequest',
    details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }],
  });

const names: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Any status as Google's error. */
export const rejection = (status: number): Reply => googleError(status, names[status] ?? 'UNKNOWN', 'Rejected on demand.');

export const internalError = (): Reply => googleError(500, 'INTERNAL', 'Internal error encountered.', { reason: 'backendError' });

export const notFound = (): Reply => googleError(404, 'NOT_FOUND', 'Method not found.', { reason: 'notFound' });

/** The token endpoint uses OAuth's error format. */
export const oauthError = (status: number, error: string, error_description: string): Reply => json(status, { error, error_description });
