import type { z } from 'zod';
import { EXAMPLE_IDS } from './example-ids.ts';
import type { integration } from './integration.ts';

/** For the OpenAPI description. */
export const exampleIntegration: z.input<typeof integration> = {
  id: EXAMPLE_IDS.integration_id,
  business_id: EXAMPLE_IDS.business_id,
  platform: 'facebook',
  account_id: '104217658823901',
  username: 'cornerbakery',
  display_name: 'Corner Bakery',
  page: 'Corner Bakery',
  picture_url: 'https://pictures.example.com/cornerbakery.jpg',
  status: 'connected',
  scopes: ['pages_manage_posts', 'pages_read_engagement'],
  token_expires_at: null,
  last_error: null,
  created_at: '2026-08-03T08:10:00.000Z',
  updated_at: '2026-08-03T08:10:00.000Z',
};
