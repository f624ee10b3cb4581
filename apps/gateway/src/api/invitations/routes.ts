import { notFound } from '@fanfare/errors';
import { z } from 'zod';
import {
  acceptAsUser,
  access,
  cancelInvitation as cancel,
  checkRevision,
  clientOf,
  emailInput,
  findInvitation,
  type InvitationDocument,
  invite,
  listInvitations as list,
  resendInvitation as resend,
  ROLES,
} from '../../accounts/index.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { changerOf } from '../members/routes.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { organizationId } from '../common/organization-id.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { revisionOf } from '../common/revision-of.ts';
import { invitation, invitationFromStore, invitationToken } from './invitation.ts';
import { exampleInvitation } from './invitation-example.ts';

const invitations = { tag: 'Invitations', scope: 'organization', access: access.usersOnly('admin') } as const;
const collection = { ...invitations, path: '/api/invitations', params: {} } as const;
const single = { ...invitations, path: '/api/invitations/{invitation_id}', params: { invitation_id: z.string() } } as const;
const inQuery = { organization_id: organizationId() };

const listInvitations = route({
  ...collection,
  method: 'get',
  operationId: 'list_invitations',
  sdkMethod: 'invitations.list',
  summary: 'List invitations',
  description: 'Newest first, in every status.',
  self: 'page',
  query: { ...inQuery, limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(invitation, 'InvitationPage'),
  status: 200,
  examples: { response: { items: [exampleInvitation], next: null } },
  async handler({ db }, { query, organization }) {
    const { rows, nextPageToken } = await list(db, organization.organizationId, { pageSize: query.limit, pageToken: query.cursor });
    return { body: { items: rows.map(invitationFromStore), next: nextOf(nextPageToken) } };
  },
});

const createInvitation = route({
  ...collection,
  method: 'post',
  operationId: 'create_invitation',
  sdkMethod: 'invitations.create',
  idempotent: true,
  summary: 'Invite a person',
  description:
    'Sends an email with a link that is valid for 7 days. Only owners can invite owners. An address can have one pending invitation.',
  query: {},
  body: z.strictObject({ organization_id: organizationId(), email: emailInput(), role: z.enum(ROLES) }).meta({ id: 'CreateInvitation' }),
  returns: invitation,
  status: 201,
  examples: { body: { email: exampleInvitation.email, role: 'editor' }, response: exampleInvitation },
  async handler(context, exchange) {
    const { ids, body } = exchange;
    const made = await invite(context, changerOf(exchange), { invitationId: ids.resourceId, email: body.email, role: body.role });
    return { ...shown(made), location: `/api/invitations/${made._id}` };
  },
});

const getInvitation = route({
  ...single,
  method: 'get',
  operationId: 'get_invitation',
  sdkMethod: 'invitations.get',
  summary: 'Get an invitation',
  self: 'resource',
  query: inQuery,
  returns: invitation,
  status: 200,
  examples: { response: exampleInvitation },
  async handler({ db }, { params, organization }) {
    const found = await findInvitation(db, organization.organizationId, params.invitation_id);
    if (!found) throw notFound('invitation');
    return shown(found);
  },
});

const cancelInvitation = route({
  ...single,
  method: 'delete',
  operationId: 'cancel_invitation',
  duringDeletion: true,
  sdkMethod: 'invitations.cancel',
  summary: 'Cancel an invitation',
  description: 'The invitation must be pending.',
  query: inQuery,
  returns: deleted,
  status: 200,
  errors: ['precondition_failed'],
  async handler(context, exchange) {
    await cancel(context, changerOf(exchange), toChange(exchange));
    return DELETED;
  },
});

const resendInvitation = route({
  ...invitations,
  path: '/api/invitations/{invitation_id}/resend',
  params: single.params,
  method: 'post',
  operationId: 'resend_invitation',
  sdkMethod: 'invitations.resend',
  summary: 'Resend an invitation',
  description: 'The invitation must be pending or expired. It is valid for 7 days from now.',
  query: {},
  body: z.strictObject({ organization_id: organizationId() }).meta({ id: 'ResendInvitation' }),
  returns: invitation,
  status: 200,
  errors: ['precondition_failed'],
  examples: { body: {}, response: exampleInvitation },
  async handler(context, exchange) {
    return { body: invitationFromStore(await resend(context, changerOf(exchange), toChange(exchange))) };
  },
});

const acceptInvitation = route({
  tag: 'Invitations',
  scope: 'caller',
  access: access.usersOnly('viewer'),
  path: '/api/invitations/{invitation_id}/accept',
  params: single.params,
  method: 'post',
  operationId: 'accept_invitation',
  sdkMethod: 'invitations.accept',
  summary: 'Accept an invitation',
  description:
    'For the user with the invited address, with the token from the email. It can take up to 5 seconds until the membership takes effect everywhere.',
  query: {},
  body: z.strictObject({ invitation_token: invitationToken() }).meta({ id: 'AcceptInvitation' }),
  returns: invitation,
  status: 200,
  examples: { body: { invitation_token: 'inv_…' }, response: { ...exampleInvitation, status: 'accepted' } },
  async handler(context, exchange) {
    const who = { userId: exchange.caller.id, request: clientOf(exchange).audit };
    const accepted = await acceptAsUser(context, who, { id: exchange.params.invitation_id, token: exchange.body.invitation_token });
    return { body: { ...invitationFromStore(accepted), status: 'accepted' } };
  },
});

export const invitationRoutes: readonly Route[] = [
  listInvitations,
  createInvitation,
  getInvitation,
  cancelInvitation,
  resendInvitation,
  acceptInvitation,
];

type Changing = Pick<Exchange<{ invitation_id: string }, unknown, unknown>, 'params' | 'ifRevisions'>;

const toChange = ({ params, ifRevisions }: Changing) => ({
  id: params.invitation_id,
  check: (current: InvitationDocument) => checkRevision(ifRevisions, 'invitation', revisionOf(invitationFromStore(current))),
});

function shown(document: InvitationDocument) {
  const body = invitationFromStore(document);
  return { body, revision: revisionOf(body) };
}
