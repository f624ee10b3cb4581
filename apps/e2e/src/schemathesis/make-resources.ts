import type { Fanfare } from '@fanfare/sdk';
import type { Tenant } from '@fanfare/stack';

/** One of each kind, so that requests with a valid id test more than a 404. Path parameter → id. */
export async function makeResources(fanfare: Fanfare, { business_id, organization_id }: Tenant): Promise<Record<string, string>> {
  const [post, topic, category, feedback] = await Promise.all([
    fanfare.posts.create(business_id, { caption: 'To be tried' }),
    fanfare.topics.create(business_id, { title: 'To be tried' }),
    fanfare.categories.create(business_id, { name: crypto.randomUUID() }),
    fanfare.feedback.create({ organization_id, message: 'To be tried' }),
  ]);
  // Nothing selects this event but a test, so nothing is sent to an address outside.
  const webhook = await fanfare.webhooks.create({ organization_id, url: 'https://example.com/', events: ['webhook.disabled'] });
  const delivery = await fanfare.webhooks.test(webhook.id, { organization_id });
  const ids = { post_id: post.id, topic_id: topic.id, category_id: category.id, feedback_id: feedback.id };
  const [event] = (await fanfare.events.list({ organization_id, limit: 1, wait: 30 }).page()).items;
  return { business_id, organization_id, ...ids, webhook_id: webhook.id, delivery_id: delivery.id, ...(event && { event_id: event.id }) };
}
