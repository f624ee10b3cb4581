import type { Request } from 'express';
import { auditRequest, type AuditRequest } from '../audit/audit.ts';

/** From where somebody signs in. */
export interface Client {
  readonly ip: string;
  readonly userAgent: string;
  /** The same, for the audit log. */
  readonly audit: AuditRequest;
}

const MAX_USER_AGENT = 300;

export function clientOf({ request, requestId }: { readonly request: Request; readonly requestId: string }): Client {
  const audit = auditRequest(request, { requestId });
  return { ip: request.ip ?? '', userAgent: (audit.userAgent ?? '').slice(0, MAX_USER_AGENT), audit };
}
