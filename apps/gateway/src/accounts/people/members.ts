import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Context } from '../../context.ts';
import { isAtLeast, type Role } from '../access.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { handKeysOver, revokeKeysOf, type EndedKey, type KeysOf } from './end-keys.ts';
import { cancelInvitationsBy } from '../store/invitations.ts';
import {
  countOwners,
  deleteMember,
  findMember,
  findNamedMember,
  setMemberRole,
  type MemberDocument,
  type NamedMember,
} from '../store/members.ts';
import { lockMembership } from '../store/organizations.ts';
import { findSession } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';

/** The caller that changes the members of an organization. */
export interface Changer {
  readonly organizationId: string;
  readonly userId: string;
  readonly sessionId?: string | undefined;
  readonly request: AuditRequest;
}

/** How to proceed with the keys of a user who may no longer manage keys. */
interface KeysLeft {
  /** The member who takes them over; undefined: they are revoked. */
  readonly handKeysTo?: string | undefined;
}

/** Throws if the current state is not what the caller expects. */
type Check<T> = (current: T) => void;

/**
 * Changes the role of a member. If the new role is below admin, the keys of the member are revoked or handed over, and their invitations are cancelled.
 * @throws DomainError resource_not_found; permission_denied; conflict for the last owner; invalid_value, param `hand_keys_to`; what `check` throws
 */
export async function changeRole(
  context: Context,
  changer: Changer,
  userId: string,
  { role, check, handKeysTo }: { readonly role: Role; readonly check: Check<NamedMember> } & KeysLeft,
): Promise<void> {
  await change(context, changer, { userId, check }, async (member, actor, session) => {
    checkManager(actor);
    checkRank(actor, member.role);
    checkRank(actor, role);
    if (member.role === role) return;
    if (member.role === 'owner') await keepAnOwner(context, changer.organizationId, session);
    await setMemberRole(context.db, member._id, role, session);
    if (member.role === 'owner') await cancelInvitationsOf(context, { ...endingOf(changer, userId), role: 'owner' }, session);
    if (isAtLeast(member.role, 'admin') && !isAtLeast(role, 'admin')) await endManagement(context, changer, userId, handKeysTo, session);
    return { action: 'member.role_changed', details: { from: member.role, to: role } };
  });
}

/** Removes a member, who may be the caller. @returns the result for each of their keys @throws DomainError as `changeRole` */
export async function removeMember(
  context: Context,
  changer: Changer,
  userId: string,
  { check, handKeysTo }: { readonly check: Check<NamedMember> } & KeysLeft,
): Promise<EndedKey[]> {
  const isLeaving = changer.userId === userId;
  let ended: EndedKey[] = [];
  await change(context, changer, { userId, check }, async (member, actor, session) => {
    if (!isLeaving) {
      checkManager(actor);
      checkRank(actor, member.role);
    }
    if (member.role === 'owner') await keepAnOwner(context, changer.organizationId, session);
    await deleteMember(context.db, member._id, session);
    ended = await endManagement(context, changer, userId, handKeysTo, session);
    return { action: isLeaving ? 'member.left' : 'member.removed', details: { role: member.role } };
  });
  return ended;
}

/** Ends everything by which a former manager could come back or continue to act: their keys and their invitations. */
async function endManagement(
  context: Context,
  changer: Changer,
  userId: string,
  handKeysTo: string | undefined,
  session: ClientSession,
): Promise<EndedKey[]> {
  const ending = endingOf(changer, userId);
  const { organizationId } = changer;
  await cancelInvitationsOf(context, ending, session);
  if (handKeysTo === undefined) return revokeKeysOf(context, ending, session);
  const heir = handKeysTo === userId ? null : await findMember(context.db, organizationId, handKeysTo, session);
  if (!heir || !isAtLeast(heir.role, 'admin')) {
    throw new DomainError('invalid_value', 'Keys can be handed over only to an owner or admin of the organization.', {
      param: 'hand_keys_to',
    });
  }
  return handKeysOver(context, ending, [`user:${handKeysTo}`], session);
}

const endingOf = ({ organizationId, userId: actorId, request }: Changer, userId: string): KeysOf => ({
  organizationId,
  of: `user:${userId}`,
  actor: `user:${actorId}`,
  request,
});

/** Cancels the pending invitations that a user (`of`) sent. @param role only those for this role */
export async function cancelInvitationsOf(
  context: Pick<Context, 'db'>,
  { organizationId, of, actor, request, role: only }: KeysOf & { readonly role?: Role },
  session: ClientSession,
): Promise<void> {
  const userId = of.slice('user:'.length);
  for (const { _id, email, role } of await cancelInvitationsBy(context.db, organizationId, { userId, role: only }, session)) {
    const entry = { organizationId, actor, action: 'invitation.cancelled', targetType: 'invitation', targetId: _id };
    await recordAudit(context, { ...entry, details: { email, role, sent_by: userId }, request }, session);
  }
}

/** Admins can neither change nor appoint owners. @throws DomainError permission_denied */
export function checkRank({ role }: { readonly role: Role }, touched: Role): void {
  if (touched === 'owner' && role !== 'owner') throw new DomainError('permission_denied', 'Only owners can change who is an owner.');
}

/**
 * The current membership of the caller, who must be an owner or admin. It is read in the transaction, because the caller of the request may be cached for
 * seconds. No membership changes until the transaction ends.
 * @throws DomainError permission_denied, authentication_required
 */
export async function managerNow(db: Db, who: Omit<Changer, 'request'>, session: ClientSession): Promise<MemberDocument> {
  await lockMembership(db, who.organizationId, session);
  const manager = await memberNow(db, who, session);
  checkManager(manager);
  return manager;
}

function checkManager({ role }: { readonly role: Role }): void {
  if (!isAtLeast(role, 'admin')) throw new DomainError('permission_denied', 'Only owners and admins can do this.');
}

async function memberNow(
  db: Db,
  { organizationId, userId, sessionId }: Omit<Changer, 'request'>,
  session: ClientSession,
): Promise<MemberDocument> {
  if (sessionId !== undefined && !(await findSession(db, sessionId, session))) {
    throw new DomainError('authentication_required', 'Your session has ended. Sign in again.');
  }
  if ((await findUser(db, userId, session))?.disabled_at) throw new DomainError('authentication_required', 'This user is disabled.');
  const member = await findMember(db, organizationId, userId, session);
  if (!member) throw new DomainError('permission_denied', 'You no longer belong to this organization.');
  return member;
}

interface Change {
  readonly action: string;
  readonly details: Record<string, string>;
}

/** Locks the memberships of the organization: if two owners left at the same time, it could have none. */
async function change(
  context: Context,
  changer: Changer,
  { userId, check }: { readonly userId: string; readonly check: Check<NamedMember> },
  work: (member: MemberDocument, actor: MemberDocument, session: ClientSession) => Promise<Change | undefined>,
): Promise<void> {
  const { db, mongo } = context;
  const { organizationId, userId: actorId, request } = changer;
  const auditId = newId();
  await transaction(mongo.client, async (session) => {
    await lockMembership(db, organizationId, session);
    const member = await findNamedMember(db, organizationId, userId, session);
    if (!member) throw notFound('member');
    // Read now, because the caller of the request may be cached for seconds.
    const actor = await memberNow(db, changer, session);
    check(member);
    const done = await work(member, actor, session);
    if (!done) return;
    const entry = { id: auditId, organizationId, actor: `user:${actorId}`, targetType: 'user', targetId: userId, request };
    await recordAudit(context, { ...entry, ...done }, session);
  });
}

async function keepAnOwner({ db }: Context, organizationId: string, session: ClientSession): Promise<void> {
  if ((await countOwners(db, organizationId, session)) > 1) return;
  throw new DomainError('conflict', 'The last owner cannot leave or lose the role. Make another member an owner first.');
}
