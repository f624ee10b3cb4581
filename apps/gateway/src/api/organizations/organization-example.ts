import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { organization } from './organization.ts';

/** For the OpenAPI description. */
export const exampleOrganization: z.input<typeof organization> = {
  id: EXAMPLE_IDS.organization_id,
  name: 'Corner Bakery',
  mode: 'live',
  plan: 'default',
  created_at: '2026-08-03T07:30:00.000Z',
  deletion: null,
};
