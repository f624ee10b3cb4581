import { DomainError } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { z } from 'zod';
import {
  access,
  type Caller,
  checkRevision,
  findPasswordHash,
  findUser,
  listOpenInvitationsTo,
  listOrganizations,
  updateUser,
  type UserDocument,
} from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { route, type Route } from '../../http/route.ts';
import { revisionOf } from '../common/revision-of.ts';
import { me, notificationsFromStore, updateNotifications } from './me.ts';
import { exampleMe } from './me-example.ts';
import { personName, userFromStore } from './user.ts';

const own = {
  tag: 'Users',
  path: '/api/me',
  access: access.usersOnly('viewer'),
  scope: 'caller',
  resource: 'user',
  self: 'resource',
  params: {},
  query: {},
  returns: me,
  status: 200,
} as const;

const getMe = route({
  ...own,
  method: 'get',
  operationId: 'get_me',
  sdkMethod: 'me.get',
  summary: 'Get your user',
  description: 'Returns your user, your organizations and your pending invitations.',
  examples: { response: exampleMe },
  async handler(context, { caller }) {
    return shown(context, caller, await findUser(context.db, caller.id));
  },
});

const updateMe = route({
  ...own,
  method: 'patch',
  operationId: 'update_me',
  sdkMethod: 'me.update',
  summary: 'Update your name and email settings',
  body: z.strictObject({ name: personName().optional(), notifications: updateNotifications().optional() }).meta({ id: 'UpdateMe' }),
  errors: ['precondition_failed'],
  examples: { body: { name: 'Ada Baker', notifications: { account_expired: true } }, response: exampleMe },
  async handler(context, { caller, body, ifRevisions }) {
    const { name, notifications = {} } = body;
    if (name === undefined && Object.values(notifications).every((one) => one === undefined)) {
      throw new DomainError('invalid_request', 'Nothing to update: send name or notifications.');
    }
    const updated = await transaction(context.mongo.client, async (session) => {
      const before = await shown(context, caller, await findUser(context.db, caller.id, session));
      checkRevision(ifRevisions, 'user', before.revision);
      return updateUser(context.db, caller.id, body, session);
    });
    return shown(context, caller, updated);
  },
});

export const meRoutes: readonly Route[] = [getMe, updateMe];

async function shown({ db }: Context, { memberships }: Caller, document: UserDocument | null) {
  if (!document) throw new DomainError('authentication_required', 'This user no longer exists.');
  const [passwordHash, open] = await Promise.all([findPasswordHash(db, document._id), listOpenInvitationsTo(db, document.email)]);
  const ids = [...memberships.map(({ organizationId }) => organizationId), ...open.map(({ organization_id }) => organization_id)];
  const names = new Map((await listOrganizations(db, ids)).map(({ _id, name }) => [_id, name]));
  const body = {
    ...userFromStore(document),
    has_password: passwordHash !== undefined,
    notifications: notificationsFromStore(document),
    created_at: document.created_at.toISOString(),
    memberships: memberships.map(({ organizationId, mode, plan, role }) => ({
      organization_id: organizationId,
      organization_name: names.get(organizationId) ?? '',
      mode,
      plan: plan._id,
      role,
    })),
    invitations: open.map(({ _id, organization_id, role, expires_at }) => ({
      id: _id,
      organization_id,
      organization_name: names.get(organization_id) ?? '',
      role,
      expires_at: expires_at.toISOString(),
    })),
  };
  return { body, revision: revisionOf(body) };
}
