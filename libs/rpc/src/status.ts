import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { BadRequest, ErrorInfo, RetryInfo, type BadRequest_FieldViolation } from '@fanfare/contracts/google/rpc';
import { Status } from '@fanfare/contracts/google/rpc/status';
import { codeOfReason, DomainError, ERROR_TABLE, wireReason, type ErrorCode, type FieldError } from '@fanfare/errors';

const DETAILS = 'grpc-status-details-bin';
const DOMAIN = 'fanfare';
const TYPE = 'type.googleapis.com/';

/** All trailers together may have 64 KiB (the default of Node's HTTP/2 and of most proxies), and base64 adds a third. */
const MAX_DETAIL_CHARS = 4_000;
const MAX_ERRORS_BYTES = 20_000;
/** The status message repeats the detail for tools that show only the message. Percent-encoded, a character may take nine bytes. */
const MAX_MESSAGE_CHARS = 500;

/** Converts a domain error to a gRPC status with google.rpc details (https://google.aip.dev/193). */
export function toStatus(error: DomainError): StatusObject {
  const code = ERROR_TABLE[error.code].grpcStatus;
  const info = ErrorInfo.fromPartial({
    reason: wireReason(error.code),
    domain: DOMAIN,
    metadata: { ...prefixed(error.members), ...(error.param !== undefined && { param: error.param }) },
  });
  const details = [
    any('google.rpc.ErrorInfo', ErrorInfo.encode(info)),
    any('google.rpc.BadRequest', BadRequest.encode({ fieldViolations: violations(error.errors) })),
  ];
  if (error.retryAfterSeconds !== undefined) {
    const retryInfo = RetryInfo.fromPartial({ retryDelay: { seconds: error.retryAfterSeconds, nanos: 0 } });
    details.push(any('google.rpc.RetryInfo', RetryInfo.encode(retryInfo)));
  }
  const detail = error.detail.slice(0, MAX_DETAIL_CHARS).toWellFormed();
  const metadata = new Metadata();
  metadata.set(DETAILS, Buffer.from(Status.encode({ code, message: detail, details }).finish()));
  // Tells the client not to retry: its retries are for calls that did not reach the service
  // (https://github.com/grpc/proposal/blob/master/A6-client-retries.md, pushback).
  metadata.set('grpc-retry-pushback-ms', '-1');
  // grpc-js percent-encodes the message, which fails for half of a surrogate pair.
  return { code, details: detail.slice(0, MAX_MESSAGE_CHARS).toWellFormed(), metadata };
}

/** Converts the error of a call to a domain error. A gRPC error that does not contain one becomes the `cause` of an `internal_error`. */
export function fromServiceError(error: ServiceError, target: string): DomainError {
  return (
    readDomainError(error) ??
    new DomainError('internal_error', `The ${target} service did not respond as expected.`, {
      cause: error,
      retryAfterSeconds: hasNoResponse(error) ? 1 : undefined,
    })
  );
}

/** Whether a gRPC error means that there was no response, or none in time. */
export function hasNoResponse(error: unknown): boolean {
  const code = (error as Partial<ServiceError> | undefined)?.code;
  return code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED || wasBrokenOff(error);
}

/**
 * Whether the stream of a call ended without a status: its server or the HTTP/2 session reset it, for example after too many calls were given up at their
 * deadlines. grpc-js reports that like an error of the server, and does not retry it.
 */
export function wasBrokenOff(error: unknown): boolean {
  const { code, details } = (error ?? {}) as Partial<ServiceError>;
  return code === status.INTERNAL && details?.startsWith('Received RST_STREAM') === true;
}

/** Whether a gRPC error means that the call timed out. */
export function timedOut(error: unknown): boolean {
  return (error as Partial<ServiceError> | undefined)?.code === status.DEADLINE_EXCEEDED;
}

function readDomainError(error: ServiceError): DomainError | undefined {
  const bytes = error.metadata?.get(DETAILS)[0];
  if (!Buffer.isBuffer(bytes)) return undefined;
  try {
    const parsed = Status.decode(bytes);
    const info = find(parsed, 'google.rpc.ErrorInfo', ErrorInfo);
    const code = info?.domain === DOMAIN ? codeOfReason(info.reason) : undefined;
    return info && code !== undefined ? domainError(code, info, parsed) : undefined;
  } catch {
    return undefined; // Not one of our details: the status is used instead.
  }
}

function domainError(code: ErrorCode, info: ErrorInfo, parsed: Status): DomainError {
  const problems = find(parsed, 'google.rpc.BadRequest', BadRequest)?.fieldViolations ?? [];
  return new DomainError(code, parsed.message, {
    param: info.metadata['param'],
    members: unprefixed(info.metadata),
    errors: problems.map(({ field, description, reason }) => ({ param: field, code: codeOfReason(reason) ?? code, detail: description })),
    retryAfterSeconds: find(parsed, 'google.rpc.RetryInfo', RetryInfo)?.retryDelay?.seconds,
  });
}

/** The prefix of problem members in the metadata, so that none has the name `param`. */
const MEMBER = 'member_';

const prefixed = (members: DomainError['members']) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [MEMBER + name, value]));

const unprefixed = (metadata: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([name, value]) => (name.startsWith(MEMBER) ? [[name.slice(MEMBER.length), value]] : [])),
  );

/** The first problems, as many as fit into the trailers. */
function violations(errors: readonly FieldError[]): BadRequest_FieldViolation[] {
  const fitting: BadRequest_FieldViolation[] = [];
  let bytes = 0;
  for (const { param, code, detail } of errors) {
    const violation = { field: param, description: detail, reason: wireReason(code), localizedMessage: undefined };
    bytes += Buffer.byteLength(JSON.stringify(violation));
    if (bytes > MAX_ERRORS_BYTES) break;
    fitting.push(violation);
  }
  return fitting;
}

function any(name: string, message: { finish(): Uint8Array }) {
  return { typeUrl: TYPE + name, value: Buffer.from(message.finish()) };
}

function find<T>(parsed: Status, name: string, codec: { decode(bytes: Uint8Array): T }): T | undefined {
  const detail = parsed.details.find(({ typeUrl }) => typeUrl === TYPE + name);
  return detail && codec.decode(detail.value);
}
