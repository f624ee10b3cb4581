import { notFound } from '@fanfare/errors';
import { z } from 'zod';
import {
  access,
  type Changer,
  changeRole,
  checkRevision,
  clientOf,
  findNamedMember,
  listMembers as list,
  type NamedMember,
  removeMember as remove,
  ROLES,
} from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { ownId } from '../../text/text.ts';
import { deletedWithKeys, withEndedKeys } from '../keys/api-key.ts';
import { exampleEndedKeys } from '../keys/api-key-example.ts';
import { organizationId } from '../common/organization-id.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { revisionOf } from '../common/revision-of.ts';
import { member, memberFromStore } from './member.ts';
import { exampleMember } from './member-example.ts';

const members = { tag: 'Members', scope: 'organization', access: access.usersOnly('viewer'), status: 200 } as const;
const single = { ...members, path: '/api/members/{user_id}', params: { user_id: z.string() } } as const;
const inQuery = { organization_id: organizationId() };
const handKeysTo = () =>
  ownId().optional().meta({
    description:
      "The owner or admin (`user_id`) who takes over the member's API keys. If missing, the keys are revoked. The secrets of keys that are handed over keep working.",
  });

const listMembers = route({
  ...members,
  method: 'get',
  path: '/api/members',
  operationId: 'list_members',
  sdkMethod: 'members.list',
  summary: 'List members',
  description: 'Newest first.',
  self: 'page',
  params: {},
  query: { ...inQuery, limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(member, 'MemberPage'),
  examples: { response: { items: [exampleMember], next: null } },
  async handler({ db }, { query, organization }) {
    const { rows, nextPageToken } = await list(db, organization.organizationId, { pageSize: query.limit, pageToken: query.cursor });
    return { body: { items: rows.map(memberFromStore), next: nextOf(nextPageToken) } };
  },
});

const getMember = route({
  ...single,
  method: 'get',
  operationId: 'get_member',
  sdkMethod: 'members.get',
  summary: 'Get a member',
  self: 'resource',
  query: inQuery,
  returns: member,
  examples: { response: exampleMember },
  handler: (context, { params, organization }) => shown(context, organization.organizationId, params.user_id),
});

const updateMember = route({
  ...single,
  method: 'patch',
  operationId: 'update_member',
  sdkMethod: 'members.update',
  summary: 'Change the role of a member',
  description:
    'Takes effect everywhere within 5 seconds. Only owners can make someone an owner or change the role of an owner; the last owner keeps the role. A member who is no longer an admin loses their API keys (see `hand_keys_to`), and the invitations that they sent are cancelled.',
  access: access.usersOnly('admin'),
  self: 'resource',
  query: {},
  body: z.strictObject({ organization_id: organizationId(), role: z.enum(ROLES), hand_keys_to: handKeysTo() }).meta({ id: 'UpdateMember' }),
  returns: member,
  errors: ['conflict', 'precondition_failed'],
  examples: { body: { role: 'editor' }, response: { ...exampleMember, role: 'editor' } },
  async handler(context, exchange) {
    const { params, body, organization } = exchange;
    const { role, hand_keys_to: handKeysTo } = body;
    await changeRole(context, changerOf(exchange), params.user_id, { role, check: checkOf(exchange), handKeysTo });
    return shown(context, organization.organizationId, params.user_id);
  },
});

const removeMember = route({
  ...single,
  method: 'delete',
  operationId: 'remove_member',
  duringDeletion: true,
  sdkMethod: 'members.remove',
  summary: 'Remove a member, or leave',
  description:
    'Takes effect everywhere within 5 seconds. Members can remove themselves; owners and admins can remove others, and only owners can remove owners. The last owner cannot leave. The API keys that the member created or took over, and the keys that those created, are revoked or handed over at the same time; `GET /api/keys?member_id=…` lists them. Pending invitations that the member sent are cancelled.',
  query: { ...inQuery, hand_keys_to: handKeysTo() },
  returns: deletedWithKeys('MemberRemoval', 'the member'),
  errors: ['conflict', 'precondition_failed'],
  examples: { response: exampleEndedKeys },
  async handler(context, exchange) {
    const { params, query } = exchange;
    const wanted = { check: checkOf(exchange), handKeysTo: query.hand_keys_to };
    const ended = await remove(context, changerOf(exchange), params.user_id, wanted);
    return withEndedKeys(ended);
  },
});

export const memberRoutes: readonly Route[] = [listMembers, getMember, updateMember, removeMember];

const checkOf =
  ({ ifRevisions }: Pick<Exchange<unknown, unknown, unknown>, 'ifRevisions'>) =>
  (current: NamedMember) =>
    checkRevision(ifRevisions, 'member', revisionOf(memberFromStore(current)));

type Changing = Pick<Exchange<unknown, unknown, unknown>, 'caller' | 'organization' | 'request' | 'requestId'>;

export const changerOf = (exchange: Changing): Changer => ({
  organizationId: exchange.organization.organizationId,
  userId: exchange.caller.id,
  sessionId: exchange.caller.sessionId,
  request: clientOf(exchange).audit,
});

async function shown({ db }: Context, organizationId: string, userId: string) {
  const found = await findNamedMember(db, organizationId, userId);
  if (!found) throw notFound('member');
  const body = memberFromStore(found);
  return { body, revision: revisionOf(body) };
}
