import { json, type Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { isOrganization } from './accounts.ts';
import { accessDenied, illegalArgument, reject } from './errors.ts';
import { memberOperation, type MemberCall } from './linkedin-operation.ts';
import { page } from './paging.ts';

/** The member of a login, and the member's pages. */
export const memberOperations: Operation[] = [
  memberOperation({
    name: 'linkedin.get_userinfo',
    method: 'GET',
    path: '/v2/userinfo',
    versioned: false,
    scopes: ['openid'],
    handle: getUserinfo,
  }),
  memberOperation({
    name: 'linkedin.list_organization_acls',
    method: 'GET',
    path: '/rest/organizationAcls',
    scopes: ['rw_organization_admin', 'r_organization_admin'],
    query: ['q', 'role', 'state', 'count', 'start'],
    finder: true,
    handle: listAcls,
  }),
  memberOperation({
    name: 'linkedin.get_organization',
    method: 'GET',
    path: '/rest/organizations/{id}',
    scopes: ['rw_organization_admin', 'r_organization_social'],
    handle: getOrganization,
  }),
];

function getUserinfo(call: MemberCall, { world }: Sandbox): Reply {
  const member = world.accounts.get(call.member)!;
  const [given = '', family = ''] = member.name.split(' ');
  const sub = member.id.split(':').at(-1)!;
  const profile = {
    name: member.name,
    given_name: given,
    family_name: family,
    locale: { country: 'US', language: 'en' },
    picture: `https://media.licdn.com/dms/image/${sub}/profile.jpg`,
  };
  return json(200, { sub, ...(call.grant.scopes.includes('profile') && profile) });
}

function listAcls(call: MemberCall, { world }: Sandbox): Reply {
  if (call.query.get('q') !== 'roleAssignee') throw illegalArgument('q has to be roleAssignee');
  const state = call.query.get('state') ?? 'APPROVED';
  const role = call.query.get('role') ?? 'ADMINISTRATOR';
  const organizations = state === 'APPROVED' && role === 'ADMINISTRATOR' ? call.grant.account_ids.filter(isOrganization) : [];
  const elements = organizations
    .filter((organization) => world.accounts.has(organization))
    .map((organization) => ({ role, organization, roleAssignee: call.member, state }));
  return json(200, page(call, elements));
}

function getOrganization(call: MemberCall, { world }: Sandbox): Reply {
  const id = call.params['id']!;
  if (!/^\d+$/.test(id)) throw illegalArgument('The key of an organization is a number');
  const urn = `urn:li:organization:${id}`;
  const organization = world.accounts.get(urn);
  if (!organization) throw reject(404, 'RESOURCE_NOT_FOUND', `Could not find entity ${urn}`);
  if (!call.grant.account_ids.includes(urn)) throw accessDenied(`Member does not administer ${urn}`);
  const { name, username } = organization;
  const locale = { country: 'US', language: 'en' };
  return json(200, {
    id: Number(id),
    $URN: urn,
    localizedName: name,
    name: { localized: { en_US: name }, preferredLocale: locale },
    vanityName: username,
    organizationType: 'PRIVATELY_HELD',
    defaultLocale: locale,
  });
}
