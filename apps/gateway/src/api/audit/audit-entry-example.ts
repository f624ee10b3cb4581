import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { auditEntry } from './audit-entry.ts';

/** For the OpenAPI description. */
export const exampleAuditEntry: z.input<typeof auditEntry> = {
  id: '0197f39f-8e40-7c6d-8ea5-4081bd726e06',
  created_at: '2026-08-03T07:45:00.000Z',
  action: 'key.created',
  actor: { type: 'user', id: EXAMPLE_IDS.user_id, name: 'Ada Baker' },
  target: { type: 'key', id: EXAMPLE_IDS.key_id },
  details: { name: 'Build server' },
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  request_id: 'req_0197f39f-8e31-7f2a-9b03-5c6d7e8f9a0b',
};
