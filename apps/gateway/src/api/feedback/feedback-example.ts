import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { feedback } from './feedback.ts';

/** For the OpenAPI description. */
export const exampleFeedback: z.input<typeof feedback> = {
  id: EXAMPLE_IDS.feedback_id,
  organization_id: EXAMPLE_IDS.organization_id,
  message: 'Scheduling by week would help us.',
  category: 'idea',
  page_url: null,
  post_id: null,
  created_at: '2026-08-06T09:30:00.000Z',
  created_by: { type: 'key', id: EXAMPLE_IDS.key_id, name: 'Build server' },
};
