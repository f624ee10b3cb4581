import { DomainError } from '@fanfare/errors';
import { ROLES } from '../access.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { requiredName, requiredOrganization } from '../operator-requests/required.ts';
import { MAX_PASSWORD, MIN_PASSWORD, newPassword, weakness } from '../passwords/password-rules.ts';
import { createUser as create } from '../people/create-user.ts';
import { normalizeEmail } from '../people/email.ts';
import type { Rpc } from './rpc.ts';

const chosenPassword = newPassword();

export const createUser: Rpc<'createUser'> =
  (context) =>
  async (request, { metadata }) => {
    const { password } = request;
    const email = normalizeEmail(request.email);
    if (email === undefined) throw new DomainError('invalid_value', 'email is not a valid email address.', { param: 'email' });
    const role = ROLES.find((name) => name === request.role);
    if (!role) throw new DomainError('invalid_value', `role must be one of ${ROLES.join(', ')}.`, { param: 'role' });
    const name = requiredName('name', request.name, 100);
    checkPassword(password, email);
    const { _id: organizationId } = await requiredOrganization(context.db, request.organizationId);
    const id = await create(context, { organizationId, email, name, role, password, ...requestedBy(metadata) });
    return { user: { id, email, name, organizationId, role } };
  };

function checkPassword(password: string | undefined, email: string): void {
  if (password === undefined) return;
  const parsed = chosenPassword.safeParse(password);
  const problem = parsed.success
    ? weakness(password, email)
    : `A password must have ${MIN_PASSWORD} to ${MAX_PASSWORD} printable characters.`;
  if (problem !== undefined) throw new DomainError('invalid_value', problem, { param: 'password' });
}
