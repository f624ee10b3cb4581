import { currentTime, newId } from '@fanfare/runtime';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { findActorName } from '../store/actors.ts';
import { insertAuditEntry } from '../store/audit-entries.ts';

/** An entry of the audit log: who did what to which resource, and from where. */
export interface AuditEntry {
  /** With an id the entry is written once, even if the change is repeated. */
  readonly id?: string;
  /** Null if the entry belongs to no organization; then only operators see it. */
  readonly organizationId: string | null;
  /** `key:<id>`, `user:<id>`, `system` (an operator) or `anonymous`. */
  readonly actor: string;
  /** Area and verb, past tense: `key.created`, `member.role_changed`, `session.sign_in_failed`. */
  readonly action: string;
  readonly targetType?: string;
  readonly targetId?: string;
  /** What has changed, in few words. Never contains a secret. */
  readonly details?: Readonly<Record<string, string>>;
  readonly request: AuditRequest;
}

/** The request that caused an entry. */
export interface AuditRequest {
  readonly requestId: string;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}

const MAX_LENGTH = 500;

/** Writes an entry, if possible in the transaction of its change. */
export async function recordAudit({ db }: Pick<Context, 'db'>, entry: AuditEntry, session?: ClientSession): Promise<void> {
  const { id = newId(), organizationId, actor, action, targetType, targetId, details = {}, request } = entry;
  const name = await findActorName(db, actor, session);
  await insertAuditEntry(
    db,
    {
      _id: id,
      organization_id: organizationId,
      action,
      actor,
      ...(name !== undefined && { actor_name: name }),
      ...(targetType !== undefined && { target_type: targetType }),
      ...(targetId !== undefined && { target_id: targetId }),
      details: Object.fromEntries(Object.entries(details).map(([key, value]) => [key, value.slice(0, MAX_LENGTH)])),
      ...(request.ip !== undefined && { ip: request.ip }),
      ...(request.userAgent !== undefined && { user_agent: request.userAgent.slice(0, MAX_LENGTH) }),
      request_id: request.requestId,
      created_at: currentTime(),
    },
    session,
  );
}

/** @param known the exchange of a route, or the state of a request */
export function auditRequest(request: Request, known: { readonly requestId: string }): AuditRequest {
  return { requestId: known.requestId, ip: request.ip && plainAddress(request.ip), userAgent: request.get('user-agent') };
}

/** An IPv4-mapped IPv6 address is written as its IPv4 address. */
const plainAddress = (ip: string) => (ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip);
