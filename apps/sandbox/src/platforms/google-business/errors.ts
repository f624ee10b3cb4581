import { html, type Rejection, type Reply } from '../../wire/reply.ts';
import { reject } from '../google/errors.ts';

/** My Business's error for a request that is well-formed but not valid. */
export interface Problem {
  code?: number;
  /** Absent if no single field is the cause, as when an image cannot be fetched. */
  field?: string;
  message: string;
}

/** Version 4 names the reasons in its own details; the message is always the same. */
export const validationError = (...errorDetails: Problem[]): Rejection =>
  reject(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', {
    reason: 'badRequest',
    details: [
      {
        '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
        errorDetails: errorDetails.map(({ code = 2, ...problem }) => ({ code, ...problem })),
      },
    ],
  });

export const permissionDenied = (): Rejection =>
  reject(403, 'PERMISSION_DENIED', 'The caller does not have permission', { reason: 'forbidden' });

export const entityNotFound = (): Rejection => reject(404, 'NOT_FOUND', 'Requested entity was not found.', { reason: 'notFound' });

/** @param retryMs to the end of the window */
export const quotaExceeded = (limit: string, value: number, service: string, clientId: string, retryMs: number): Rejection =>
  reject(
    429,
    'RESOURCE_EXHAUSTED',
    `Quota exceeded for quota metric 'Requests' and limit '${limit}' of service '${service}' for consumer '${clientId}'.`,
    {
      reason: 'rateLimitExceeded',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'RATE_LIMIT_EXCEEDED',
          domain: 'googleapis.com',
          metadata: { quota_limit_value: String(value), quota_metric: `${service}/requests`, service, consumer: clientId },
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryMs / 1000}s` },
      ],
    },
  );

/** An unknown path does not reach the API: Google's frontend responds. */
export const frontendNotFound = (path: string): Reply =>
  html(
    404,
    `<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> <ins>That’s an error.</ins><p>The requested URL <code>${path.replace(/[^\w/.:-]/g, '_')}</code> was not found on this server.</html>`,
  );
