import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { session } from './session.ts';

export const exampleSession: z.input<typeof session> = {
  id: EXAMPLE_IDS.session_id,
  current: true,
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  created_at: '2026-08-05T06:55:00.000Z',
  last_used_at: '2026-08-06T09:25:00.000Z',
  expires_at: '2026-09-05T09:25:00.000Z',
};
