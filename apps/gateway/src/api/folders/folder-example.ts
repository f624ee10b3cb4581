import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { folder } from './folder.ts';

/** For the OpenAPI description. */
export const exampleFolder: z.input<typeof folder> = {
  id: EXAMPLE_IDS.folder_id,
  business_id: EXAMPLE_IDS.business_id,
  name: 'Brand',
  path: '/Brand',
  created_at: '2026-08-03T08:00:00.000Z',
  parent_id: null,
  updated_at: '2026-08-03T08:00:00.000Z',
};
