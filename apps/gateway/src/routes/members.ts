import { notFound } from '@fanfare/errors';
import { z } from 'zod';
import { access, ROLES } from '../access.ts';
import type { Context } from '../context.ts';
import { checkRevision } from '../check-revision.ts';
import { clientOf } from '../identity/client.ts';
import { changeRole, removeMember as remove, type Changer } from '../identity/members.ts';
import { DELETED, deleted } from '../resources/deleted.ts';
import { member, memberFromStore } from '../resources/member.ts';
import { organizationId } from '../resources/organization-id.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../resources/page.ts';
import { exampleMember } from '../resources/people-example.ts';
import { route, type Exchange } from '../route.ts';
import { findNamedMember, listMembers as list, type NamedMember } from '../store/members.ts';
import { revisionOf } from './revision-of.ts';

const members = { tag: 'Members', scope: 'organization', access: access.usersOnly('viewer'), status: 200 } as const;
const single = { ...members, path: '/api/members/{user_id}', params: { user_id: z.string() } } as const;
const inQuery = { organization_id: organizationId() };

export const listMembers = route({
  ...members,
  method: 'get',
  path: '/api/members',
  operationId: 'list_members',
  summary: 'List members',
  description: 'Newest first.',
  self: 'page',
  params: {},
  query: { ...inQuery, limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(member, 'MemberPage'),
  examples: { answer: { items: [exampleMember], next: null } },
  async handler({ db }, { query, organization }) {
    const { rows, nextPageToken } = await list(db, organization.organizationId, { pageSize: query.limit, pageToken: query.cursor });
    return { body: { items: rows.map(memberFromStore), next: nextOf(nextPageToken) } };
  },
});

export const getMember = route({
  ...single,
  method: 'get',
  operationId: 'get_member',
  summary: 'Get a member',
  self: 'resource',
  query: inQuery,
  returns: member,
  examples: { answer: exampleMember },
  handler: (context, { params, organization }) => shown(context, organization.organizationId, params.user_id),
});

export const updateMember = route({
  ...single,
  method: 'patch',
  operationId: 'update_member',
  summary: 'Change the role of a member',
  description:
    'Works everywhere within 5 seconds. Only owners make somebody an owner or change what an owner is; the last owner cannot be made less.',
  access: access.usersOnly('admin'),
  self: 'resource',
  query: {},
  body: z.strictObject({ organization_id: organizationId(), role: z.enum(ROLES) }).meta({ id: 'UpdateMember' }),
  returns: member,
  errors: ['precondition_failed'],
  examples: { body: { role: 'editor' }, answer: { ...exampleMember, role: 'editor' } },
  async handler(context, exchange) {
    const { params, body, organization } = exchange;
    await changeRole(context, changerOf(exchange), params.user_id, { role: body.role, check: checkOf(exchange) });
    return shown(context, organization.organizationId, params.user_id);
  },
});

export const removeMember = route({
  ...single,
  method: 'delete',
  operationId: 'remove_member',
  summary: 'Remove a member, or leave',
  description:
    'Works everywhere within 5 seconds. Everybody can leave by themselves; owners and admins remove others, but only owners remove owners. The last owner cannot leave.',
  query: inQuery,
  returns: deleted,
  errors: ['conflict', 'precondition_failed'],
  async handler(context, exchange) {
    await remove(context, changerOf(exchange), exchange.params.user_id, checkOf(exchange));
    return DELETED;
  },
});

const checkOf =
  ({ ifRevisions }: Pick<Exchange<unknown, unknown, unknown>, 'ifRevisions'>) =>
  (current: NamedMember) =>
    checkRevision(ifRevisions, 'member', revisionOf(memberFromStore(current)));

type Changing = Pick<Exchange<unknown, unknown, unknown>, 'caller' | 'organization' | 'request' | 'requestId'>;

export const changerOf = (exchange: Changing): Changer => ({
  organizationId: exchange.organization.organizationId,
  userId: exchange.caller.id,
  request: clientOf(exchange).audit,
});

async function shown({ db }: Context, organizationId: string, userId: string) {
  const found = await findNamedMember(db, organizationId, userId);
  if (!found) throw notFound('member');
  const body = memberFromStore(found);
  return { body, revision: revisionOf(body) };
}
