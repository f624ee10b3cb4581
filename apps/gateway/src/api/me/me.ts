import { z } from 'zod';
import type { UserDocument } from '../../accounts/index.ts';
import { selfLink } from '../shared/self-link.ts';
import { timestamp } from '../shared/timestamp.ts';
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
  z.boolean().meta({ description: 'When a post fails, also in part: of organizations that you own, and posts that you created.' });
const accountExpired = () =>
  z.boolean().meta({ description: 'When a connected account has to be connected again: of organizations that you own.' });

/** Which mails somebody wants. */
const notifications = z.object({ post_failed: postFailed(), account_expired: accountExpired() }).meta({
  id: 'NotificationSettings',
  description: 'Which mails you get. They come together: one for each organization, 15 minutes apart at least.',
});

export const updateNotifications = () =>
  z
    .strictObject({ post_failed: postFailed().optional(), account_expired: accountExpired().optional() })
    .meta({ id: 'UpdateNotificationSettings', description: 'What is not given stays as it is.' });

export const notificationsFromStore = ({
  notifications: { post_failed = true, account_expired = true } = {},
}: UserDocument): z.input<typeof notifications> => ({ post_failed, account_expired });

export const me = z
  .object({
    self: selfLink(),
    ...user.shape,
    has_password: z.boolean().meta({ description: 'False for who signs in by a provider alone.' }),
    notifications,
    created_at: timestamp(),
    memberships: z.array(membership),
    invitations: z
      .array(openInvitation)
      .meta({ description: 'Those that are waiting for an answer. Each is accepted by the token that was mailed.' }),
  })
  .meta({ id: 'Me' });
