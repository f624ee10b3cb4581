import type { Topic } from '@fanfare/contracts/content/topics';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import { nonBlank, ownId, text } from '../../text/text.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

/** A subject that posts can be about. */
export const topic = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    title: z.string(),
    created_at: timestamp(),
    body: z.string().meta({ description: 'Description or notes.' }),
    enabled: z.boolean().meta({ description: 'Whether generation uses the topic.' }),
    category_id: z.string().nullable(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Topic' });

const title = () => nonBlank(300).meta({ example: 'How we bake our rye bread' });

const rest = {
  body: text(50_000).optional().meta({ description: 'Description or notes.' }),
  category_id: ownId().nullish().meta({ description: 'A category of this business; null for none.' }),
  enabled: z.boolean().optional().meta({ description: 'Whether generation uses the topic; true by default.' }),
};

export const createTopicBody = z.strictObject({ title: title(), ...rest }).meta({ id: 'CreateTopic' });

export const updateTopicBody = z.strictObject({ title: title().optional(), ...rest }).meta({ id: 'UpdateTopic' });

export function topicFromProto(given: Topic): z.input<typeof topic> {
  return {
    id: given.id,
    business_id: given.businessId,
    title: given.title,
    created_at: isoTime(given.createdAt),
    body: given.body,
    enabled: given.enabled,
    category_id: given.categoryId ?? null,
    updated_at: isoTime(given.updatedAt),
  };
}
