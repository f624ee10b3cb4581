import { z } from 'zod';
import { currentTime } from '@fanfare/runtime';
import type { InvitationDocument } from '../../accounts/index.ts';
import { text } from '../../text/text.ts';
import { roleName } from '../me/user.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

export const invitation = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    organization_id: z.uuid(),
    email: z.string().meta({ format: 'email', example: 'ada@example.com' }),
    role: roleName(),
    status: z.string().meta({ description: 'pending, accepted, cancelled or expired.', example: 'pending' }),
    invited_by: z.uuid().meta({ description: 'The user who sent the invitation.' }),
    created_at: timestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: 'Invitation' });

export const invitationToken = () => text(500).min(1).meta({ description: 'The `token` in the link of an invitation.' });

export function invitationFromStore(document: InvitationDocument): z.input<typeof invitation> {
  const { _id, organization_id, email, role, invited_by, created_at, expires_at } = document;
  return {
    id: _id,
    organization_id,
    email,
    role,
    status: statusOf(document),
    invited_by,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}

function statusOf({ status, expires_at }: InvitationDocument): string {
  if (status === 'replaced') return 'expired';
  return status === 'pending' && expires_at <= currentTime() ? 'expired' : status;
}
