import type { Request } from 'express';
import { auditRequest, type AuditRequest } from '../audit/audit.ts';

/** The client that a person signs in with. */
export interface Client {
  readonly ip: string;
  readonly userAgent: string;
  /** The client as the audit log records it. */
  readonly audit: AuditRequest;
}

const MAX_USER_AGENT = 300;

export function clientOf({ request, requestId }: { readonly request: Request; readonly requestId: string }): Client {
  const audit = auditRequest(request, { requestId });
  return { ip: audit.ip ?? '', userAgent: (audit.userAgent ?? '').slice(0, MAX_USER_AGENT), audit };
}
