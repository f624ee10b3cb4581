import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../../context.ts';
import type { Topic } from '../../writing/composer.ts';

const PAGE = 100;

/** The topics of the business that are active for generation, newest first, as many as a job can use. */
export async function readTopics({ content }: Pick<Context, 'content'>, metadata: CallMetadata): Promise<Topic[]> {
  const call = { metadata };
  const { topics } = await content.listTopics({ pageSize: PAGE, pageToken: '' }, { call });
  const enabled = topics.filter((topic) => topic.enabled);
  const names = new Map<string, string>();
  if (enabled.some(({ categoryId }) => categoryId !== undefined)) {
    const { categories } = await content.listCategories({ pageSize: PAGE, pageToken: '' }, { call });
    for (const { id, name } of categories) names.set(id, name);
  }
  return enabled.map(({ title, body, categoryId }) => ({ title, body, categoryName: names.get(categoryId ?? '') ?? '' }));
}
