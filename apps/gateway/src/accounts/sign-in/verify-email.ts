import { DomainError } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { currentTime, newId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { checkPasswordChoice } from '../passwords/password-rules.ts';
import { atLeastMs } from '../people/at-least.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import { foundPendingOrganization } from '../people/found-organization.ts';
import { putPasswordHash } from '../store/accounts.ts';
import { deleteSessions } from '../store/sessions.ts';
import { findOpenSignUp, renewSignUps, takeSignUp, type SignUpDocument } from '../store/sign-ups.ts';
import { claimUser, findUserByEmail, insertUser } from '../store/users.ts';
import type { Client } from './client.ts';
import { countMailRequest } from '../throttle.ts';

/** The response time must not reveal whether a mail is sent. */
const FLOOR_MS = 500;

/**
 * Creates the account of a sign-up whose mail was received. Its password is chosen only now: somebody who signs up with the address of another gains nothing
 * when the owner confirms it.
 * @throws DomainError invalid_value for the token or a weak password; conflict if the account exists already
 */
export async function verifyEmail(context: Context, given: { token: string; password: string }, client: Client): Promise<void> {
  const { db, mongo, identity } = context;
  const signUp = await openSignUpOf(context, given.token);
  const { email, name, organization_name } = signUp;
  checkPasswordChoice(given.password, email);
  const hash = await (await (await identity.betterAuth()).$context).password.hash(given.password);

  const [newUserId, accountId, at] = [newId(), newId(), currentTime()];
  const chosen = { name, email_verified: true, pending_organization: organization_name };
  const work = () =>
    transaction(mongo.client, async (session) => {
      if (!(await takeSignUp(db, signUp, session))) throw invalid();
      const existing = await findUserByEmail(db, email, session);
      if (existing?.email_verified) throw hasAccount();
      const id = existing?._id ?? newUserId;
      if (existing) {
        await claimUser(db, id, chosen, session);
        await deleteSessions(db, id, undefined, session);
      } else {
        await insertUser(db, { _id: id, email, created_at: at, updated_at: at, ...chosen }, session);
      }
      await putPasswordHash(db, { id: accountId, userId: id, hash }, session);
      return id;
    });
  const userId = await work().catch((error: unknown) => {
    throw isDuplicateKey(error, 'email') ? hasAccount() : error;
  });
  await foundPendingOrganization(context, userId, client);
  const entry = { actor: `user:${userId}`, action: 'email.verified', targetType: 'user', targetId: userId };
  await recordUserAudit(context, userId, { ...entry, request: client.audit });
}

/** The sign-up of a mailed token. @throws DomainError invalid_value, param `token` */
export async function openSignUpOf({ db, identity }: Context, token: string): Promise<SignUpDocument> {
  const id = identity.verificationTokens.read(token);
  const signUp = id === undefined ? null : await findOpenSignUp(db, id);
  if (!signUp) throw invalid();
  return signUp;
}

/** The most mails that are sent again. Mails of other sign-ups stay valid. */
const MOST_RESENT = 5;

/**
 * Sends the mails of all open sign-ups with an address again. It is unknown who requests it, so one sign-up of a stranger must not replace the others.
 * @throws DomainError rate_limit_exceeded
 */
export async function resendVerification(context: Context, email: string, client: Client): Promise<void> {
  const { db, mongo } = context;
  const mailIds = Array.from({ length: MOST_RESENT }, newId);
  await countMailRequest(db, email, client);
  await atLeastMs(FLOOR_MS, () =>
    transaction(mongo.client, async (session) => {
      const signUps = await renewSignUps(db, email, MOST_RESENT, session);
      for (const [index, signUp] of signUps.entries()) {
        await sendVerification(context, signUp, { mailId: mailIds[index] as string, isOnly: signUps.length === 1 }, session);
      }
    }),
  );
}

/** @param isOnly false if other sign-ups with the address are open, which the mail then mentions */
export async function sendVerification(
  context: Context,
  { _id, email, name, organization_name: organization }: SignUpDocument,
  { mailId, isOnly }: { readonly mailId: string; readonly isOnly: boolean },
  session: ClientSession,
): Promise<void> {
  const data = { name, organization, isOnly, token: context.identity.verificationTokens.of(_id) };
  await queueMail(context, { id: mailId, to: email, template: 'verification', data }, session);
}

/** Reveals nothing to strangers: only a caller with the mailed token gets it. */
export const hasAccount = () => new DomainError('conflict', 'You already have an account with this address. Sign in.');

const invalid = () => new DomainError('invalid_value', 'This link has expired or was already used.', { param: 'token' });
