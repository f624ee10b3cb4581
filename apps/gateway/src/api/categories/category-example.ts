import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { category } from './category.ts';

/** For the OpenAPI description. */
export const exampleCategory: z.input<typeof category> = {
  id: EXAMPLE_IDS.category_id,
  business_id: EXAMPLE_IDS.business_id,
  name: 'Behind the counter',
  created_at: '2026-08-04T10:00:00.000Z',
  updated_at: '2026-08-04T10:00:00.000Z',
};
