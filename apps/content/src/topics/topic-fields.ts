import type { UpdateTopicRequest } from '@fanfare/contracts/content/topics';
import { DomainError } from '@fanfare/errors';

/** The fields of a topic. */
export interface TopicFields {
  title: string;
  body: string;
  enabled: boolean;
  category_id: string | null;
}

/**
 * The fields that an update changes.
 * @throws DomainError invalid_request if there is none
 */
export function changedTopicFields({ title, body, enabled, categoryId }: UpdateTopicRequest): Partial<TopicFields> {
  const changes: Partial<TopicFields> = {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(categoryId === undefined ? {} : { category_id: categoryId === '' ? null : categoryId }),
  };
  if (Object.keys(changes).length === 0) throw new DomainError('invalid_request', 'Provide at least one field to update.');
  return changes;
}
