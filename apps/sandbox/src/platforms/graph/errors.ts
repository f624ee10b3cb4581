import { randomBytes } from 'node:crypto';
import { json, Rejection, type Reply } from '../../wire/reply.ts';

interface GraphError {
  message: string;
  code: number;
  type?: 'OAuthException' | 'GraphMethodException' | 'IGApiException';
  subcode?: number;
  title?: string;
  userMessage?: string;
  transient?: boolean;
  status?: number;
}

/** `{error:{…}}` in the shape and order of the Graph API; members that do not apply are absent. */
function graphError(error: GraphError): Reply {
  return json(
    error.status ?? 400,
    {
      error: {
        message: error.message,
        type: error.type ?? 'OAuthException',
        code: error.code,
        ...(error.subcode !== undefined && { error_subcode: error.subcode }),
        is_transient: error.transient ?? false,
        ...(error.title !== undefined && { error_user_title: error.title }),
        ...(error.userMessage !== undefined && { error_user_msg: error.userMessage }),
        fbtrace_id: traceId(),
      },
    },
    error.code === 190 ? { 'www-authenticate': `OAuth "Facebook Platform" "invalid_token" "${error.message.replaceAll('"', "'")}"` } : {},
  );
}

/** Any status as a Graph API error (platform reference 1.4). */
export function graphRejection(status: number): Reply {
  const codes: Readonly<Record<number, number>> = { 401: 190, 403: 200, 429: 4 };
  const code = codes[status] ?? (status >= 500 ? 2 : 100);
  return graphError({ message: 'Rejected on demand.', code, status, transient: status >= 500 });
}

export const reject = (error: GraphError): Rejection => new Rejection(graphError(error));

export const invalidParameter = (message: string, subcode?: number, title?: string): Rejection =>
  reject({
    message: `(#100) ${message}`,
    code: 100,
    ...(subcode !== undefined && { subcode }),
    ...(title !== undefined && { title, userMessage: message }),
  });

export const missingPermission = (scope: string): Rejection =>
  reject({ message: `(#200) Requires ${scope} permission to manage the object`, code: 200, status: 403 });

export const noSuchObject = (method: string, id: string): Rejection =>
  reject({
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    type: 'GraphMethodException',
    code: 100,
    subcode: 33,
  });

export const unknownPath = (path: string): Reply => graphError({ message: `Unknown path components: ${path}`, code: 2500 });

export const graphInternalError = (): Reply =>
  graphError({ message: 'An unknown error has occurred.', code: 1, transient: true, status: 500 });

/** 190 with the subcode that names what happened to the session. */
export function sessionEnded(what: 'expired' | 'revoked' | 'malformed'): Reply {
  switch (what) {
    case 'expired':
      return graphError({ message: 'Error validating access token: Session has expired.', code: 190, subcode: 463, status: 401 });
    case 'revoked':
      return graphError({
        message: 'Error validating access token: The user has not authorized application.',
        code: 190,
        subcode: 458,
        status: 401,
      });
    case 'malformed':
      return graphError({ message: 'Invalid OAuth access token - Cannot parse access token', code: 190, status: 401 });
  }
}

export function traceId(): string {
  return `A${randomBytes(16).toString('base64url')}`;
}
