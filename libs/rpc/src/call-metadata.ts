import { aheadMs, learnClock } from '@fanfare/runtime';
import { Metadata } from '@grpc/grpc-js';

/** Metadata of every call, set by the gateway. Services trust it and scope every query by it. */
export interface CallMetadata {
  /** The organization of the caller; empty for calls of the system itself. */
  readonly organizationId: string;
  /** The business, checked by the gateway; empty if the call does not concern one. */
  readonly businessId: string;
  /** Who makes the call: `key:{id}`, `user:{id}`, `system:{service}`. */
  readonly actor: string;
  /** `req_…`, one per request. */
  readonly requestId: string;
  /** One per logical flow, echoed to the caller. */
  readonly flowId: string;
  /** The storage limits of the organization's plan, as `{bytes}/{files}`. Empty or absent if there is no limit, and for calls that store nothing. */
  readonly storageLimits?: string;
}

const HEADERS = {
  organizationId: 'x-organization-id',
  businessId: 'x-business-id',
  actor: 'x-actor',
  requestId: 'x-request-id',
  flowId: 'x-flow-id',
  storageLimits: 'x-storage-limits',
} as const satisfies Record<keyof CallMetadata, string>;

/** How far the test clock of the organization is ahead, so that the service has the same time. Set and read here, whatever the caller of these functions knows. */
const CLOCK_HEADER = 'x-test-clock-ms';

const FIELDS = Object.entries(HEADERS) as [keyof CallMetadata, string][];

export function toMetadata(call: CallMetadata): Metadata {
  const metadata = new Metadata();
  for (const [field, header] of FIELDS) if (call[field]) metadata.set(header, encodeURIComponent(call[field]));
  const ms = aheadMs(call.organizationId);
  if (ms > 0) metadata.set(CLOCK_HEADER, String(ms));
  return metadata;
}

export function fromMetadata(metadata: Metadata): CallMetadata {
  return read((header) => metadata.get(header)[0]?.toString());
}

/** Call metadata as HTTP headers, for uploads and downloads between our services. */
export function toHeaders(call: CallMetadata): Record<string, string> {
  const ms = aheadMs(call.organizationId);
  const headers = FIELDS.map(([field, header]) => [header, encodeURIComponent(call[field] ?? '')]);
  return { ...(Object.fromEntries(headers) as Record<string, string>), ...(ms > 0 && { [CLOCK_HEADER]: String(ms) }) };
}

export function fromHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): CallMetadata {
  return read((header) => headers[header]?.toString());
}

function read(header: (name: string) => string | undefined): CallMetadata {
  const entries = FIELDS.map(([field, name]) => [field, decode(header(name) ?? '')] as const);
  const call = Object.fromEntries(entries) as unknown as CallMetadata;
  const ms = header(CLOCK_HEADER);
  if (ms !== undefined) learnClock(call.organizationId, Number(ms));
  return call;
}

/** A value that was not percent-encoded, by another tool, is used as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Metadata for calls that a service makes without a request of a client. */
export function systemCall(service: string, scope: { organizationId?: string; businessId?: string; flowId?: string } = {}): CallMetadata {
  return {
    organizationId: scope.organizationId ?? '',
    businessId: scope.businessId ?? '',
    actor: `system:${service}`,
    requestId: '',
    flowId: scope.flowId ?? '',
  };
}
