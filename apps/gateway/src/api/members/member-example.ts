import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { exampleUser } from '../me/user-example.ts';
import type { member } from './member.ts';

export const exampleMember: z.input<typeof member> = {
  user_id: EXAMPLE_IDS.user_id,
  name: exampleUser.name,
  email: exampleUser.email,
  role: 'owner',
  created_at: '2026-08-03T07:30:00.000Z',
};
