import { chained, type Head, type Subject } from '@fanfare/ledger';
import { now } from '@fanfare/runtime';
import type { DeliveryFact } from './delivery-facts.ts';

/** What the timeline needs of a delivery. */
interface Told {
  readonly _id: string;
  readonly organization_id: string;
  readonly business_id: string;
  readonly post_id: string;
  readonly platform: string;
  readonly integration_id: string;
  readonly ledger?: Head;
}

/** Each delivery has a chain of its own. */
export const subjectOf = ({ _id, organization_id, business_id, post_id }: Told): Subject => ({
  chain: _id,
  postId: post_id,
  organizationId: organization_id,
  businessId: business_id,
});

/** The entries for facts, after those that the chain has already. */
export function linksOf(delivery: Told, facts: readonly DeliveryFact[], actor = 'system:publisher'): ReturnType<typeof chained> {
  const { platform, integration_id } = delivery;
  const told = facts.map(({ kind, details }) => ({ kind, actor, details: { platform, integration_id, ...details } }));
  return chained(subjectOf(delivery), delivery.ledger, told, now(delivery.organization_id));
}
