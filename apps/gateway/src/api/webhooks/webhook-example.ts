import { CURRENT_VERSION } from '@fanfare/resources';
import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { delivery, fullDelivery } from './delivery.ts';
import type { webhook } from './webhook.ts';

/** For the OpenAPI description. */
export const exampleWebhook: z.input<typeof webhook> = {
  id: EXAMPLE_IDS.webhook_id,
  organization_id: EXAMPLE_IDS.organization_id,
  url: 'https://example.com/hooks/fanfare',
  events: ['post.*'],
  business_ids: [],
  platforms: [],
  description: 'Publishing log',
  headers: [],
  enabled: true,
  disabled_reason: null,
  version: CURRENT_VERSION,
  format: 'standard',
  ordered: false,
  rate_limit_per_second: null,
  failing_since: null,
  former_secret_until: null,
  created_at: '2026-08-06T09:30:00.000Z',
  updated_at: '2026-08-06T09:30:00.000Z',
};

export const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const succeeded = {
  id: EXAMPLE_IDS.delivery_id,
  webhook_id: EXAMPLE_IDS.webhook_id,
  event_id: EXAMPLE_IDS.event_id,
  event_type: 'post.published',
  business_id: EXAMPLE_IDS.business_id,
  status: 'succeeded' as const,
  created_at: '2026-08-06T09:30:04.050Z',
  ended_at: '2026-08-06T09:30:04.180Z',
  next_attempt_at: null,
  attempt_count: 1,
  error: null,
};

const attempt = { at: '2026-08-06T09:30:04.090Z', duration_ms: 90, status_code: 204, error: null };

export const exampleDelivery: z.input<typeof delivery> = { ...succeeded, last_attempt: attempt };

export const examplePendingDelivery: z.input<typeof delivery> = {
  ...succeeded,
  status: 'pending',
  ended_at: null,
  next_attempt_at: '2026-08-06T09:30:04.050Z',
  attempt_count: 0,
  last_attempt: null,
};

export const exampleFullDelivery: z.input<typeof fullDelivery> = {
  ...succeeded,
  attempts: [
    {
      ...attempt,
      request: {
        headers: { 'content-type': 'application/json', 'webhook-id': EXAMPLE_IDS.event_id, 'webhook-timestamp': '1786008604' },
        body: `{"id":"${EXAMPLE_IDS.event_id}","type":"post.published"}`,
        is_cut: false,
      },
      response: { headers: {}, body: '', is_cut: false },
    },
  ],
};
