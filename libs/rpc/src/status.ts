import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { BadRequest, ErrorInfo, RetryInfo } from '@fanfare/contracts/google/rpc';
import { Status } from '@fanfare/contracts/google/rpc/status';
import { codeOfReason, DomainError, ERROR_TABLE, wireReason, type ErrorCode } from '@fanfare/errors';

const DETAILS = 'grpc-status-details-bin';
const DOMAIN = 'fanfare';
const TYPE = 'type.googleapis.com/';

/** A domain error as it crosses gRPC: a status with google.rpc details (https://google.aip.dev/193). */
export function toStatus(error: DomainError): StatusObject {
  const code = ERROR_TABLE[error.code].grpcStatus;
  const details = [
    any(
      'google.rpc.ErrorInfo',
      ErrorInfo.encode(
        ErrorInfo.fromPartial({
          reason: wireReason(error.code),
          domain: DOMAIN,
          metadata: error.param === undefined ? {} : { param: error.param },
        }),
      ),
    ),
    any(
      'google.rpc.BadRequest',
      BadRequest.encode(
        BadRequest.fromPartial({
          fieldViolations: error.errors.map((violation) => ({
            field: violation.param,
            description: violation.detail,
            reason: wireReason(violation.code),
          })),
        }),
      ),
    ),
    ...(error.retryAfterSeconds === undefined
      ? []
      : [
          any(
            'google.rpc.RetryInfo',
            RetryInfo.encode(RetryInfo.fromPartial({ retryDelay: { seconds: error.retryAfterSeconds, nanos: 0 } })),
          ),
        ]),
  ];
  const metadata = new Metadata();
  metadata.set(DETAILS, Buffer.from(Status.encode(Status.fromPartial({ code, message: error.detail, details })).finish()));
  // A status message is percent-encoded and bounded by header limits; the whole detail stands in the binary trailer.
  return { code, details: error.detail.slice(0, 500), metadata };
}

/** Reads a failed call. What is not a domain error of ours becomes `internal_error`, with the gRPC error as its cause. */
export function fromServiceError(error: ServiceError, target: string): DomainError {
  const bytes = error.metadata?.get(DETAILS)[0];
  if (Buffer.isBuffer(bytes)) {
    const parsed = Status.decode(bytes);
    const info = find(parsed, 'google.rpc.ErrorInfo', ErrorInfo);
    const code = info?.domain === DOMAIN ? codeOfReason(info.reason) : undefined;
    if (info && code !== undefined) return domainError(code, info, parsed);
  }
  const passing = error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED || error.code === status.RESOURCE_EXHAUSTED;
  return new DomainError('internal_error', `The ${target} service did not answer as expected.`, {
    cause: error,
    retryAfterSeconds: passing ? 1 : undefined,
  });
}

function domainError(code: ErrorCode, info: ErrorInfo, parsed: Status): DomainError {
  const violations = find(parsed, 'google.rpc.BadRequest', BadRequest)?.fieldViolations ?? [];
  return new DomainError(code, parsed.message, {
    param: info.metadata['param'],
    errors: violations.map(({ field, description, reason }) => ({ param: field, code: codeOfReason(reason) ?? code, detail: description })),
    retryAfterSeconds: find(parsed, 'google.rpc.RetryInfo', RetryInfo)?.retryDelay?.seconds,
  });
}

function any(name: string, message: { finish(): Uint8Array }) {
  return { typeUrl: TYPE + name, value: Buffer.from(message.finish()) };
}

function find<T>(parsed: Status, name: string, codec: { decode(bytes: Uint8Array): T }): T | undefined {
  const detail = parsed.details.find(({ typeUrl }) => typeUrl === TYPE + name);
  return detail && codec.decode(detail.value);
}
