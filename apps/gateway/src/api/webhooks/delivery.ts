import type { Attempt, Delivery, Exchanged } from '@fanfare/contracts/webhooks';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const exchanged = (id: string, what: string) =>
  z
    .object({
      headers: z.record(z.string(), z.string()).meta({ description: 'By lower-case name. Secrets are replaced by `[redacted]`.' }),
      body: z.string(),
      is_cut: z
        .boolean()
        .meta({ description: 'Whether the body was longer than what is stored (64 KiB), or did not arrive within a second.' }),
    })
    .meta({ id, description: what });

const attempt = z.object({
  at: timestamp().meta({ description: 'When the attempt began.' }),
  duration_ms: z.int().meta({ description: 'How long the attempt took, in milliseconds.' }),
  status_code: z.int().nullable().meta({ description: 'The status of the response; null if there was none.', example: 500 }),
  error: z.string().nullable().meta({ description: 'Why the attempt failed; null if it succeeded.' }),
});

const fullAttempt = attempt
  .extend({
    request: exchanged('WebhookRequest', 'What was sent. The signature is not stored.').nullable(),
    response: exchanged('WebhookResponse', 'What was received; null if nothing was.').nullable(),
  })
  .meta({ id: 'WebhookAttempt' });

const fields = {
  self: selfLink(),
  id: z.uuid(),
  webhook_id: z.uuid(),
  event_id: z.uuid().meta({ description: 'The event. Also the `webhook-id` of each attempt.' }),
  event_type: z.string().meta({ example: 'post.published' }),
  business_id: z.uuid().nullable(),
  status: z.enum(['pending', 'succeeded', 'failed']).meta({
    description:
      '`pending`: the delivery waits for its first or next attempt. `failed`: it is not retried unless you call `redeliver_webhook_delivery` or `recover_webhook`.',
  }),
  created_at: timestamp(),
  ended_at: timestamp().nullable().meta({ description: 'When the delivery succeeded or failed; null while it is pending.' }),
  next_attempt_at: timestamp().nullable().meta({ description: 'When the next attempt is due; null unless it is pending.' }),
  attempt_count: z.int(),
  error: z.string().nullable().meta({ description: 'Why the delivery or its last attempt failed; null if it succeeded.' }),
};

export const delivery = z
  .object({ ...fields, last_attempt: attempt.meta({ id: 'WebhookAttemptSummary' }).nullable() })
  .meta({ id: 'WebhookDelivery' });

export const fullDelivery = z
  .object({ ...fields, attempts: z.array(fullAttempt).meta({ description: 'The last 20 attempts, oldest first.' }) })
  .meta({ id: 'WebhookDeliveryDetail' });

export const deliveryFromProto = (given: Delivery): z.input<typeof delivery> => {
  const last = given.attempts.at(-1);
  return { ...common(given), last_attempt: last ? attemptFromProto(last) : null };
};

export const fullDeliveryFromProto = (given: Delivery): z.input<typeof fullDelivery> => ({
  ...common(given),
  attempts: given.attempts.map((one) => ({
    ...attemptFromProto(one),
    request: one.request ? exchangedFromProto(one.request) : null,
    response: one.response ? exchangedFromProto(one.response) : null,
  })),
});

const STATUSES = { DELIVERY_STATUS_SUCCEEDED: 'succeeded', DELIVERY_STATUS_FAILED: 'failed' } as const;

const common = (given: Delivery) => ({
  id: given.id,
  webhook_id: given.endpointId,
  event_id: given.eventId,
  event_type: given.eventType,
  business_id: given.businessId ?? null,
  status: STATUSES[given.status as keyof typeof STATUSES] ?? ('pending' as const),
  created_at: isoTime(given.createdAt),
  ended_at: given.endedAt?.toISOString() ?? null,
  next_attempt_at: given.nextAttemptAt?.toISOString() ?? null,
  attempt_count: given.attemptCount,
  error: given.error ?? given.attempts.at(-1)?.error ?? null,
});

const attemptFromProto = ({ at, durationMs, statusCode, error }: Attempt) => ({
  at: isoTime(at),
  duration_ms: durationMs,
  status_code: statusCode ?? null,
  error: error ?? null,
});

const exchangedFromProto = ({ headers, body, isCut }: Exchanged) => ({ headers, body, is_cut: isCut });
