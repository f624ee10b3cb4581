import { newId } from '@fanfare/runtime';
import type { Role } from '../src/accounts/access.ts';
import { findMembership } from '../src/accounts/store/callers.ts';
import type { RunningGateway } from './running-gateway.ts';

/** Makes a credential represent a signed-in user with these roles. Other tests cover sign-in. */
export async function signedIn({ context }: RunningGateway, roles: Readonly<Record<string, Role>>): Promise<string> {
  const found = await Promise.all(Object.entries(roles).map(([organizationId, role]) => findMembership(context.db, organizationId, role)));
  const memberships = found.filter((one) => one !== undefined);
  const [token, id] = [`session-${newId()}`, newId()];
  const members = memberships.map(({ organizationId, role }) => ({ organization_id: organizationId, user_id: id, role }));
  await context.db.collection('members').insertMany(members);
  const { callers } = context;
  const caller = { kind: 'user' as const, id, memberships };
  Object.assign(context, {
    callers: {
      ...callers,
      find: async (credential: string) => (credential === token ? caller : callers.find(credential)),
      findUncached: async (credential: string) => (credential === token ? caller : callers.findUncached(credential)),
    },
  });
  return token;
}
