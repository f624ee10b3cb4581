import { z } from 'zod';
import type { UserDocument } from '../../accounts/index.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
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

const postFailed = () =>
  z.boolean().meta({ description: 'When a post fails or partially fails, in organizations that you own and for posts that you created.' });
const accountExpired = () =>
  z.boolean().meta({ description: 'When a connected account needs to be reconnected, in organizations that you own.' });

/** The mails that a user wants. */
const notifications = z.object({ post_failed: postFailed(), account_expired: accountExpired() }).meta({
  id: 'NotificationSettings',
  description: 'Which emails you get. They are combined into one per organization, at most every 15 minutes.',
});

export const updateNotifications = () =>
  z
    .strictObject({ post_failed: postFailed().optional(), account_expired: accountExpired().optional() })
    .meta({ id: 'UpdateNotificationSettings', description: 'Fields you do not send stay unchanged.' });

export const notificationsFromStore = ({
  notifications: { post_failed = true, account_expired = true } = {},
}: UserDocument): z.input<typeof notifications> => ({ post_failed, account_expired });

export const me = z
  .object({
    self: selfLink(),
    ...user.shape,
    has_password: z.boolean().meta({ description: 'False if the user signs in only through a provider.' }),
    notifications,
    created_at: timestamp(),
    memberships: z.array(membership),
    invitations: z.array(openInvitation).meta({ description: 'Pending invitations. Accept one with the token from its email.' }),
  })
  .meta({ id: 'Me' });
