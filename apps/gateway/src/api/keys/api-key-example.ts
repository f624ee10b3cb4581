import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { apiKey, newApiKeyResource } from './api-key.ts';

/** For the OpenAPI description. */
export const exampleApiKey: z.input<typeof apiKey> = {
  id: EXAMPLE_IDS.key_id,
  organization_id: EXAMPLE_IDS.organization_id,
  name: 'Build server',
  hint: 'x7Qa',
  created_at: '2026-08-03T07:45:00.000Z',
  created_by: { type: 'user', id: EXAMPLE_IDS.user_id, name: 'Ada Baker' },
  owner: { type: 'user', id: EXAMPLE_IDS.user_id, name: 'Ada Baker' },
  expires_at: null,
  last_used_at: '2026-08-06T09:29:00.000Z',
  rotated_from: null,
};

export const exampleNewApiKey: z.input<typeof newApiKeyResource> = {
  ...exampleApiKey,
  last_used_at: null,
  secret: 'fk_live_…x7Qa',
};

/** What takes the place of the one above. */
export const exampleRotatedApiKey: z.input<typeof newApiKeyResource> = {
  ...exampleNewApiKey,
  id: '0197f3a9-7081-7293-8eaf-1a2b3c4d5e99',
  hint: 'm2Kd',
  created_at: '2026-08-06T09:30:00.000Z',
  rotated_from: EXAMPLE_IDS.key_id,
  secret: 'fk_live_…m2Kd',
};

/** What a deletion says that took the key above along. */
export const exampleEndedKeys = {
  status: 'deleted' as const,
  keys: [{ id: EXAMPLE_IDS.key_id, name: 'Build server', hint: 'x7Qa', outcome: 'revoked' }],
};
