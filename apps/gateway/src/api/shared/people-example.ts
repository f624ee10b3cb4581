import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { invitation } from '../invitations/invitation.ts';
import type { me } from '../me/me.ts';
import type { user } from '../me/user.ts';
import type { member } from '../members/member.ts';
import type { session } from '../sessions/session.ts';
import type { signedIn } from '../sign-in/signed-in.ts';

const USER: z.input<typeof user> = { id: EXAMPLE_IDS.user_id, email: 'ada@example.com', name: 'Ada Baker' };

/** For the OpenAPI description: the owner of the bakery, and somebody whom they invite. */
export const exampleSignedIn: z.input<typeof signedIn> = {
  access_token: 'eyJhbGciOiJFZERTQSJ9.…',
  token_type: 'Bearer',
  expires_in: 600,
  refresh_token: 'frt_…',
  user: USER,
};

export const exampleMe: z.input<typeof me> = {
  ...USER,
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

export const exampleSession: z.input<typeof session> = {
  id: EXAMPLE_IDS.session_id,
  current: true,
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  created_at: '2026-08-05T06:55:00.000Z',
  last_used_at: '2026-08-06T09:25:00.000Z',
  expires_at: '2026-09-05T09:25:00.000Z',
};

export const exampleMember: z.input<typeof member> = {
  user_id: EXAMPLE_IDS.user_id,
  name: USER.name,
  email: USER.email,
  role: 'owner',
  created_at: '2026-08-03T07:30:00.000Z',
};

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
