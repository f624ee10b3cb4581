import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { topic } from './topic.ts';

/** For the OpenAPI description. */
export const exampleTopic: z.input<typeof topic> = {
  id: EXAMPLE_IDS.topic_id,
  business_id: EXAMPLE_IDS.business_id,
  title: 'How we bake our rye bread',
  created_at: '2026-08-04T10:05:00.000Z',
  body: 'Sourdough, 24 hours, wood fire.',
  enabled: true,
  category_id: EXAMPLE_IDS.category_id,
  updated_at: '2026-08-04T10:05:00.000Z',
};
