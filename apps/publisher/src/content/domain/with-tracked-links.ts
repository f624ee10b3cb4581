import { linkTracker, type PlatformRules, type TrackedDelivery } from '@fanfare/connectors/preflight';
import type { DeliveryContent } from './delivery-content.ts';

/** The content with what the business adds to links: as it is sent, and as an ambiguous commit is searched for. */
export function withTrackedLinks(content: DeliveryContent, rules: PlatformRules, delivery: TrackedDelivery): DeliveryContent {
  const { link_tracking: tracking, first_comment: firstComment, ...rest } = content;
  if (!tracking) return content;
  const tracked = linkTracker(tracking, delivery, rules)({ ...rest, ...(firstComment !== undefined && { firstComment }) });
  const { firstComment: comment, ...others } = tracked;
  return { ...others, link_tracking: tracking, ...(comment !== undefined && { first_comment: comment }) };
}
