import { z } from 'zod';
import { selfLink } from './self-link.ts';
import { timestamp } from './timestamp.ts';
import { roleName, user } from './user.ts';

const membership = z
  .object({
    organization_id: z.uuid(),
    organization_name: z.string().meta({ example: 'Corner Bakery' }),
    mode: z.string().meta({ description: 'test or live.', example: 'live' }),
    plan: z.string().meta({ description: "The plan's id.", example: 'default' }),
    role: roleName(),
  })
  .meta({ id: 'OwnMembership' });

const openInvitation = z
  .object({ id: z.uuid(), organization_id: z.uuid(), organization_name: z.string(), role: roleName(), expires_at: timestamp() })
  .meta({ id: 'OwnInvitation' });

export const me = z
  .object({
    self: selfLink(),
    ...user.shape,
    has_password: z.boolean().meta({ description: 'False for who signs in by a provider alone.' }),
    created_at: timestamp(),
    memberships: z.array(membership),
    invitations: z
      .array(openInvitation)
      .meta({ description: 'Those that are waiting for an answer. Each is accepted by the token that was mailed.' }),
  })
  .meta({ id: 'Me' });
