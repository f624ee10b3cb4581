import { DomainError } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { currentTime, newId } from '@fanfare/runtime';
import { ROLES } from '../access.ts';
import { recordAudit } from '../audit/audit.ts';
import { MAX_PASSWORD, MIN_PASSWORD, newPassword, weakness } from '../passwords/password-rules.ts';
import { normalizeEmail } from '../people/email.ts';
import { putPasswordHash } from '../store/accounts.ts';
import { insertMember } from '../store/members.ts';
import { insertUser } from '../store/users.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { requiredName, requiredOrganization } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

const chosenPassword = newPassword();

export const createUser: Rpc<'createUser'> =
  (context) =>
  async (request, { metadata }) => {
    const { db, mongo, identity } = context;
    const email = normalizeEmail(request.email);
    if (email === undefined) throw new DomainError('invalid_value', 'email is not a valid email address.', { param: 'email' });
    const role = ROLES.find((name) => name === request.role);
    if (!role) throw new DomainError('invalid_value', `role must be one of ${ROLES.join(', ')}.`, { param: 'role' });
    const name = requiredName('name', request.name, 100);
    checkPassword(request.password, email);
    const organization = await requiredOrganization(db, request.organizationId);

    const { password } = await (await identity.betterAuth()).$context;
    const hash = request.password === undefined ? undefined : await password.hash(request.password);
    const [userId, accountId, memberId, at] = [newId(), newId(), newId(), currentTime()];
    try {
      await transaction(mongo.client, async (session) => {
        await insertUser(db, { _id: userId, email, name, email_verified: true, created_at: at, updated_at: at }, session);
        if (hash !== undefined) await putPasswordHash(db, { id: accountId, userId, hash }, session);
        await insertMember(db, { _id: memberId, organization_id: organization._id, user_id: userId, role, created_at: at }, session);
        const entry = { action: 'member.added', targetType: 'user', targetId: userId, details: { role } };
        await recordAudit(context, { organizationId: organization._id, ...entry, ...requestedBy(metadata) }, session);
      });
    } catch (error) {
      if (!isDuplicateKey(error, 'email')) throw error;
      throw new DomainError('invalid_value', 'A user with this email address already exists.', { param: 'email' });
    }
    return { user: { id: userId, email, name, organizationId: organization._id, role } };
  };

function checkPassword(password: string | undefined, email: string): void {
  if (password === undefined) return;
  const parsed = chosenPassword.safeParse(password);
  const problem = parsed.success
    ? weakness(password, email)
    : `A password must have ${MIN_PASSWORD} to ${MAX_PASSWORD} printable characters.`;
  if (problem !== undefined) throw new DomainError('invalid_value', problem, { param: 'password' });
}
