import type { ErrorReason } from '@fanfare/contracts/errors';

interface Row {
  /** The name in google.rpc.ErrorInfo, with its prefix. */
  readonly reason: ErrorReason;
  /** The gRPC status code between our processes. */
  readonly grpcStatus: number;
  readonly httpStatus: number;
  readonly title: string;
}

/** Every error code, as callers see it, with its gRPC status, HTTP status and title. */
export const ERROR_TABLE = {
  missing_field: { reason: 'ERROR_REASON_MISSING_FIELD', grpcStatus: 3, httpStatus: 400, title: 'Missing required field' },
  invalid_value: { reason: 'ERROR_REASON_INVALID_VALUE', grpcStatus: 3, httpStatus: 400, title: 'Invalid value' },
  invalid_request: { reason: 'ERROR_REASON_INVALID_REQUEST', grpcStatus: 9, httpStatus: 400, title: 'Invalid request' },
  validation_failed: {
    reason: 'ERROR_REASON_VALIDATION_FAILED',
    grpcStatus: 3,
    httpStatus: 422,
    title: 'Validation failed',
  },
  authentication_required: {
    reason: 'ERROR_REASON_AUTHENTICATION_REQUIRED',
    grpcStatus: 16,
    httpStatus: 401,
    title: 'Authentication required',
  },
  SOCIAL_TOKEN_EXPIRED: {
    reason: 'ERROR_REASON_SOCIAL_TOKEN_EXPIRED',
    grpcStatus: 9,
    httpStatus: 401,
    title: 'Connected account needs to be reconnected',
  },
  permission_denied: { reason: 'ERROR_REASON_PERMISSION_DENIED', grpcStatus: 7, httpStatus: 403, title: 'Permission denied' },
  resource_not_found: { reason: 'ERROR_REASON_RESOURCE_NOT_FOUND', grpcStatus: 5, httpStatus: 404, title: 'Resource not found' },
  method_not_allowed: { reason: 'ERROR_REASON_METHOD_NOT_ALLOWED', grpcStatus: 12, httpStatus: 405, title: 'Method not allowed' },
  conflict: { reason: 'ERROR_REASON_CONFLICT', grpcStatus: 9, httpStatus: 409, title: 'Conflict with the state of the resource' },
  upload_conflict: {
    reason: 'ERROR_REASON_UPLOAD_CONFLICT',
    grpcStatus: 10,
    httpStatus: 409,
    title: 'Upload offset conflict',
  },
  precondition_failed: { reason: 'ERROR_REASON_PRECONDITION_FAILED', grpcStatus: 9, httpStatus: 412, title: 'Precondition failed' },
  payload_too_large: { reason: 'ERROR_REASON_PAYLOAD_TOO_LARGE', grpcStatus: 11, httpStatus: 413, title: 'Request body too large' },
  unsupported_media_type: {
    reason: 'ERROR_REASON_UNSUPPORTED_MEDIA_TYPE',
    grpcStatus: 3,
    httpStatus: 415,
    title: 'Unsupported media type',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    reason: 'ERROR_REASON_IDEMPOTENCY_KEY_CONFLICT',
    grpcStatus: 6,
    httpStatus: 422,
    title: 'Idempotency key reused with a different request',
  },
  rate_limit_exceeded: { reason: 'ERROR_REASON_RATE_LIMIT_EXCEEDED', grpcStatus: 8, httpStatus: 429, title: 'Too many requests' },
  UPSTREAM_PROVIDER_ERROR: {
    reason: 'ERROR_REASON_UPSTREAM_PROVIDER_ERROR',
    grpcStatus: 14,
    httpStatus: 502,
    title: 'Unexpected response from a platform or provider',
  },
  internal_error: { reason: 'ERROR_REASON_INTERNAL_ERROR', grpcStatus: 13, httpStatus: 500, title: 'Internal error' },
} as const satisfies Record<string, Row>;

/** An error's public code. */
export type ErrorCode = keyof typeof ERROR_TABLE;

const CODE_BY_REASON: ReadonlyMap<string, ErrorCode> = new Map(
  (Object.keys(ERROR_TABLE) as ErrorCode[]).map((code) => [wireReason(code), code]),
);

/** The reason as google.rpc.ErrorInfo carries it: MISSING_FIELD. */
export function wireReason(code: ErrorCode): string {
  return ERROR_TABLE[code].reason.replace('ERROR_REASON_', '');
}

/** The public code of a reason read off the wire; undefined for one that a newer version added. */
export function codeOfReason(reason: string): ErrorCode | undefined {
  return CODE_BY_REASON.get(reason);
}
