import { z } from 'zod';
import type { AuditEntryDocument } from '../../accounts/index.ts';
import { actor, toActor } from '../common/actor.ts';
import { timestamp } from '../common/timestamp.ts';

export const auditEntry = z
  .object({
    id: z.uuid(),
    created_at: timestamp(),
    action: z.string().meta({ description: 'The action. New actions may be added.', example: 'key.created' }),
    actor,
    target: z
      .object({ type: z.string().meta({ example: 'key' }), id: z.string() })
      .nullable()
      .meta({ description: 'The target of the action.' }),
    details: z.record(z.string(), z.string()).meta({ description: 'The changes, without secrets.', example: { name: 'Build server' } }),
    ip: z.string().nullable().meta({ description: 'The IP address that sent the request; null for operators.', example: '203.0.113.7' }),
    user_agent: z.string().nullable(),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

export function auditEntryFromStore(entry: AuditEntryDocument): z.input<typeof auditEntry> {
  const { target_type, target_id } = entry;
  return {
    id: entry._id,
    created_at: entry.created_at.toISOString(),
    action: entry.action,
    actor: toActor(entry.actor, entry.actor_name),
    target: target_type !== undefined && target_id !== undefined ? { type: target_type, id: target_id } : null,
    details: entry.details,
    ip: entry.ip ?? null,
    user_agent: entry.user_agent ?? null,
    request_id: entry.request_id || null,
  };
}
