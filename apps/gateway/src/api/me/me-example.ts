import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { me } from './me.ts';
import { exampleUser } from './user-example.ts';

export const exampleMe: z.input<typeof me> = {
  ...exampleUser,
  has_password: true,
  notifications: { post_failed: true, account_expired: true },
  created_at: '2026-08-03T07:30:00.000Z',
  memberships: [
    {
      organization_id: EXAMPLE_IDS.organization_id,
      organization_name: 'Corner Bakery',
      mode: 'live',
      plan: 'default',
      role: 'owner',
    },
  ],
  invitations: [],
};
