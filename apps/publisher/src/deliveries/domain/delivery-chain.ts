import { chained, type Head, type Subject } from '@fanfare/ledger';
import { now } from '@fanfare/runtime';
import type { DeliveryEntry } from './delivery-entries.ts';

/** What the timeline needs of a delivery. */
interface ChainOwner {
  readonly _id: string;
  readonly organization_id: string;
  readonly business_id: string;
  readonly post_id: string;
  readonly platform: string;
  readonly integration_id: string;
  readonly ledger?: Head;
}

/** Each delivery has a chain of its own. */
export const subjectOf = ({ _id, organization_id, business_id, post_id }: ChainOwner): Subject => ({
  chain: _id,
  postId: post_id,
  organizationId: organization_id,
  businessId: business_id,
});

/** Chains entries to those that the delivery has already. */
export function linksOf(delivery: ChainOwner, entries: readonly DeliveryEntry[], actor = 'system:publisher'): ReturnType<typeof chained> {
  const { platform, integration_id } = delivery;
  const extended = entries.map(({ kind, details }) => ({ kind, actor, details: { platform, integration_id, ...details } }));
  return chained(subjectOf(delivery), delivery.ledger, extended, now(delivery.organization_id));
}
