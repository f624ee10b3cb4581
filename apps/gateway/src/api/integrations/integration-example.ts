import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { arrivedConnection, connection } from './connection.ts';
import type { integration } from './integration.ts';

const can = (name: string) => ({ name, available: true, reason: null, missing_scopes: [] });

const cannot = (name: string) => ({ name, available: false, reason: 'not_supported', missing_scopes: [] });

/** For the OpenAPI description. */
export const exampleIntegration: z.input<typeof integration> = {
  id: EXAMPLE_IDS.integration_id,
  business_id: EXAMPLE_IDS.business_id,
  platform: 'facebook',
  login: null,
  account_id: '104217658823901',
  username: 'cornerbakery',
  display_name: 'Corner Bakery',
  page: 'Corner Bakery',
  picture_url: 'https://images.example.com/cornerbakery.jpg',
  status: 'connected',
  scopes: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts', 'read_insights'],
  token_expires_at: null,
  reconnect_by: null,
  capabilities: [
    can('publish'),
    { name: 'first_comment', available: false, reason: 'missing_scope', missing_scopes: ['pages_manage_engagement'] },
    can('account_stats'),
    can('post_stats'),
    cannot('drafts'),
    can('unpublish'),
  ],
  settings: {},
  last_error: null,
  reconnect_url: null,
  created_at: '2026-08-03T08:10:00.000Z',
  updated_at: '2026-08-03T08:10:00.000Z',
};

/** The login owns two pages, one of which is connected. */
export const exampleArrival: z.input<typeof arrivedConnection> = {
  id: EXAMPLE_IDS.connection_id,
  platform: 'facebook',
  status: 'choosing',
  error: null,
  error_message: null,
};

export const exampleConnection: z.input<typeof connection> = {
  id: EXAMPLE_IDS.connection_id,
  business_id: EXAMPLE_IDS.business_id,
  platform: 'facebook',
  status: 'choosing',
  accounts: [
    {
      account_id: '104217658823901',
      username: 'cornerbakery',
      display_name: 'Corner Bakery',
      page: 'Corner Bakery',
      picture_url: 'https://images.example.com/cornerbakery.jpg',
      integration_id: EXAMPLE_IDS.integration_id,
    },
    {
      account_id: '104217658823955',
      username: 'harbourbakery',
      display_name: 'Harbour Bakery',
      page: 'Harbour Bakery',
      picture_url: null,
      integration_id: null,
    },
  ],
  integrations: [],
  error: null,
  error_message: null,
  expires_at: '2026-08-03T08:20:00.000Z',
  created_at: '2026-08-03T08:09:00.000Z',
};
