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
  return { business_id, organization_id, post_id: post.id, topic_id: topic.id, category_id: category.id, feedback_id: feedback.id };
}
