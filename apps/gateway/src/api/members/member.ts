import { z } from 'zod';
import type { NamedMember } from '../../accounts/index.ts';
import { roleName } from '../me/user.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

export const member = z
  .object({
    self: selfLink(),
    user_id: z.uuid(),
    name: z.string().meta({ example: 'Ada Baker' }),
    email: z.string().meta({ format: 'email', example: 'ada@example.com' }),
    role: roleName(),
    created_at: timestamp().meta({ description: 'When the member joined.' }),
  })
  .meta({ id: 'Member' });

export const memberFromStore = ({ user_id, user, role, created_at }: NamedMember): z.input<typeof member> => ({
  user_id,
  name: user.name,
  email: user.email,
  role,
  created_at: created_at.toISOString(),
});
