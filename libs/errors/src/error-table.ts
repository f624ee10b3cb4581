import type { ErrorReason } from '@fanfare/contracts/errors';

interface Row {
  /** The name in google.rpc.ErrorInfo, with its prefix. */
  readonly reason: ErrorReason;
  /** The gRPC status code that it crosses processes with. */
  readonly grpcStatus: number;
  readonly httpStatus: number;
  readonly title: string;
}

/** The one vocabulary of errors: public code → how it crosses gRPC and HTTP. Codes are spelled as callers see them. */
export const ERROR_TABLE = {
  missing_field: { reason: 'ERROR_REASON_MISSING_FIELD', grpcStatus: 3, httpStatus: 400, title: 'A required field is missing' },
  invalid_value: { reason: 'ERROR_REASON_INVALID_VALUE', grpcStatus: 3, httpStatus: 400, title: 'A value is not valid' },
  invalid_request: { reason: 'ERROR_REASON_INVALID_REQUEST', grpcStatus: 9, httpStatus: 400, title: 'The request cannot be carried out' },
  validation_failed: {
    reason: 'ERROR_REASON_VALIDATION_FAILED',
    grpcStatus: 3,
    httpStatus: 422,
    title: 'The body does not fit this operation',
  },
  authentication_required: {
    reason: 'ERROR_REASON_AUTHENTICATION_REQUIRED',
    grpcStatus: 16,
    httpStatus: 401,
    title: 'A valid credential is required',
  },
  SOCIAL_TOKEN_EXPIRED: {
    reason: 'ERROR_REASON_SOCIAL_TOKEN_EXPIRED',
    grpcStatus: 9,
    httpStatus: 401,
    title: 'The connected account has to be connected again',
  },
  permission_denied: { reason: 'ERROR_REASON_PERMISSION_DENIED', grpcStatus: 7, httpStatus: 403, title: 'Not allowed' },
  resource_not_found: { reason: 'ERROR_REASON_RESOURCE_NOT_FOUND', grpcStatus: 5, httpStatus: 404, title: 'No such resource' },
  method_not_allowed: { reason: 'ERROR_REASON_METHOD_NOT_ALLOWED', grpcStatus: 12, httpStatus: 405, title: 'Not with this method' },
  conflict: { reason: 'ERROR_REASON_CONFLICT', grpcStatus: 9, httpStatus: 409, title: 'The resource is in another state' },
  upload_conflict: {
    reason: 'ERROR_REASON_UPLOAD_CONFLICT',
    grpcStatus: 10,
    httpStatus: 409,
    title: 'The upload is at another offset',
  },
  precondition_failed: { reason: 'ERROR_REASON_PRECONDITION_FAILED', grpcStatus: 9, httpStatus: 412, title: 'The resource has changed' },
  payload_too_large: { reason: 'ERROR_REASON_PAYLOAD_TOO_LARGE', grpcStatus: 11, httpStatus: 413, title: 'The body is too large' },
  unsupported_media_type: {
    reason: 'ERROR_REASON_UNSUPPORTED_MEDIA_TYPE',
    grpcStatus: 3,
    httpStatus: 415,
    title: 'The body is of a type that is not read here',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    reason: 'ERROR_REASON_IDEMPOTENCY_KEY_CONFLICT',
    grpcStatus: 6,
    httpStatus: 422,
    title: 'The idempotency key was used with another body',
  },
  rate_limit_exceeded: { reason: 'ERROR_REASON_RATE_LIMIT_EXCEEDED', grpcStatus: 8, httpStatus: 429, title: 'Too many requests' },
  UPSTREAM_PROVIDER_ERROR: {
    reason: 'ERROR_REASON_UPSTREAM_PROVIDER_ERROR',
    grpcStatus: 14,
    httpStatus: 502,
    title: 'The social platform did not answer as expected',
  },
  internal_error: { reason: 'ERROR_REASON_INTERNAL_ERROR', grpcStatus: 13, httpStatus: 500, title: 'Something failed on our side' },
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

/** The public code of a reason read off the wire; undefined when a newer process sent one that is not known here. */
export function codeOfReason(reason: string): ErrorCode | undefined {
  return CODE_BY_REASON.get(reason);
}
