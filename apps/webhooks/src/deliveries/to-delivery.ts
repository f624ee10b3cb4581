import type { Attempt, Delivery, DeliveryStatus as ProtoStatus, Exchanged } from '@fanfare/contracts/webhooks';
import type { AttemptDocument, DeliveryDocument, DeliveryStatus, ExchangedDocument } from './delivery.ts';

const STATUSES: Readonly<Record<DeliveryStatus, ProtoStatus>> = {
  pending: 'DELIVERY_STATUS_PENDING',
  succeeded: 'DELIVERY_STATUS_SUCCEEDED',
  failed: 'DELIVERY_STATUS_FAILED',
};

/** Unspecified means all. */
export const toStatuses = (status: ProtoStatus): DeliveryStatus[] => {
  const all = Object.keys(STATUSES) as DeliveryStatus[];
  return status === 'DELIVERY_STATUS_UNSPECIFIED' ? all : all.filter((one) => STATUSES[one] === status);
};

export const toDelivery = (delivery: DeliveryDocument): Delivery => ({
  id: delivery._id,
  endpointId: delivery.endpoint_id,
  eventId: delivery.event_id,
  eventType: delivery.event_type,
  businessId: delivery.business_id || undefined,
  status: STATUSES[delivery.status],
  createdAt: delivery.created_at,
  endedAt: delivery.ended_at,
  nextAttemptAt: delivery.next_attempt_at,
  attemptCount: delivery.attempt_count,
  attempts: delivery.attempts.map(toAttempt),
  error: delivery.error,
});

/** Lists read attempts without their request and response. */
const toAttempt = (attempt: Omit<AttemptDocument, 'request'> & Partial<Pick<AttemptDocument, 'request'>>): Attempt => ({
  at: attempt.at,
  durationMs: attempt.duration_ms,
  statusCode: attempt.status_code,
  error: attempt.error,
  request: attempt.request && toExchanged(attempt.request),
  response: attempt.response && toExchanged(attempt.response),
});

const toExchanged = ({ headers, body, is_cut }: ExchangedDocument): Exchanged => ({ headers, body, isCut: is_cut });
