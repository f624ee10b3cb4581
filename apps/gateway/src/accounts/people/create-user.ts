import { DomainError } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { currentTime, newId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import type { Role } from '../access.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { putPasswordHash } from '../store/accounts.ts';
import { insertMember } from '../store/members.ts';
import { insertUser } from '../store/users.ts';

/** A user whom an operator creates, as a member of an organization. */
interface NewUser {
  readonly organizationId: string;
  /** Normalized. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Without one, the user sets it by "Forgot password". */
  readonly password: string | undefined;
  readonly actor: string;
  readonly request: AuditRequest;
}

/** @returns the id of the user @throws DomainError invalid_value if a user with this address exists */
export async function createUser(context: Context, user: NewUser): Promise<string> {
  const { db, mongo, identity } = context;
  const { organizationId, email, name, role, actor, request } = user;
  const { password } = await (await identity.betterAuth()).$context;
  const hash = user.password === undefined ? undefined : await password.hash(user.password);
  const [userId, accountId, memberId, at] = [newId(), newId(), newId(), currentTime()];
  try {
    await transaction(mongo.client, async (session) => {
      await insertUser(db, { _id: userId, email, name, email_verified: true, created_at: at, updated_at: at }, session);
      if (hash !== undefined) await putPasswordHash(db, { id: accountId, userId, hash }, session);
      await insertMember(db, { _id: memberId, organization_id: organizationId, user_id: userId, role, created_at: at }, session);
      const entry = { action: 'member.added', targetType: 'user', targetId: userId, details: { role } };
      await recordAudit(context, { organizationId, ...entry, actor, request }, session);
    });
  } catch (error) {
    if (!isDuplicateKey(error, 'email')) throw error;
    throw new DomainError('invalid_value', 'A user with this email address already exists.', { param: 'email' });
  }
  return userId;
}
