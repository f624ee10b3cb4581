import { z } from 'zod';
import { nonBlank, ownId, webUrl } from '../../text/text.ts';
import { actor, toActor } from '../common/actor.ts';
import { organizationId } from '../common/organization-id.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { FEEDBACK_CATEGORIES, type FeedbackDocument } from './store/feedback.ts';

export const feedback = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    organization_id: z.uuid(),
    message: z.string().meta({ example: 'Scheduling by week would help us.' }),
    category: z.string().meta({ description: 'bug, idea, praise or other.', example: 'idea' }),
    page_url: z.string().nullable().meta({ format: 'uri', description: 'The page that the feedback is about.' }),
    post_id: z.string().nullable().meta({ description: 'The post that the feedback is about.' }),
    created_at: timestamp(),
    created_by: actor,
  })
  .meta({ id: 'Feedback' });

export const createFeedbackBody = z
  .strictObject({
    organization_id: organizationId(),
    message: nonBlank(5000).meta({ example: 'Scheduling by week would help us.' }),
    category: z.enum(FEEDBACK_CATEGORIES).default('other'),
    page_url: webUrl().nullish().meta({ description: 'The page that the feedback is about.' }),
    post_id: ownId().nullish().meta({ description: 'The post that the feedback is about.' }),
  })
  .meta({ id: 'CreateFeedback' });

export function feedbackFromStore(document: FeedbackDocument): z.input<typeof feedback> {
  return {
    id: document._id,
    organization_id: document.organization_id,
    message: document.message,
    category: document.category,
    page_url: document.page_url ?? null,
    post_id: document.post_id ?? null,
    created_at: document.created_at.toISOString(),
    created_by: toActor(document.created_by, document.created_by_name),
  };
}
