import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { invitation } from './invitation.ts';

/** Somebody whom the owner of the bakery invites. */
export const exampleInvitation: z.input<typeof invitation> = {
  id: EXAMPLE_IDS.invitation_id,
  organization_id: EXAMPLE_IDS.organization_id,
  email: 'grace@example.com',
  role: 'editor',
  status: 'pending',
  invited_by: EXAMPLE_IDS.user_id,
  created_at: '2026-08-06T09:30:00.000Z',
  expires_at: '2026-08-13T09:30:00.000Z',
};
