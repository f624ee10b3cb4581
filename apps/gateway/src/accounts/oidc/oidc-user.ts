import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { currentTime, newId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { nameProblem } from '../../text/plain-name.ts';
import { normalizeEmail } from '../people/email.ts';
import { deletePassword, findAccountUserId, insertAccount } from '../store/accounts.ts';
import { listOpenInvitationsTo } from '../store/invitations.ts';
import { deleteSessions } from '../store/sessions.ts';
import { claimUser, findUserByEmail, insertUser } from '../store/users.ts';
import type { OidcIdentity } from '../sign-in/oidc-provider.ts';

/** Why a user of a provider cannot sign in. */
type OidcRejection = 'email_not_verified' | 'not_invited';

/**
 * The user of an account at a provider. A new account is linked to the user with its email address, if the provider has verified the address. If there is no
 * such user, one is created, provided that they may sign up or were invited.
 */
export async function oidcUser(
  context: Context,
  providerId: string,
  identity: OidcIdentity,
): Promise<{ userId: string } | { rejected: OidcRejection }> {
  const { db } = context;
  const accountId = accountIdOf(identity);
  const known = async () => {
    const userId = await findAccountUserId(db, providerId, accountId);
    return userId === undefined ? undefined : { userId };
  };
  const linked = await known();
  if (linked) return linked;
  const email = normalizeEmail(identity.email ?? '');
  if (email === undefined || !identity.isEmailVerified) return { rejected: 'email_not_verified' };

  const isInvited = (await listOpenInvitationsTo(db, email)).length > 0;
  const newcomer = { providerId, accountId, email, name: nameOf(identity, email), isInvited };
  try {
    return await link(context, newcomer);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // A concurrent sign-in of the same person was faster, with this account or in another way.
    return (await known()) ?? link(context, newcomer);
  }
}

interface Newcomer {
  readonly providerId: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly isInvited: boolean;
}

async function link(
  { db, mongo, config }: Context,
  { providerId, accountId, email, name, isInvited }: Newcomer,
): Promise<{ userId: string } | { rejected: OidcRejection }> {
  const [newUserId, newAccountId, at] = [newId(), newId(), currentTime()];
  return transaction(mongo.client, async (session) => {
    const existing = await findUserByEmail(db, email, session);
    if (!existing && !isInvited && config.signUp !== 'open') return { rejected: 'not_invited' as const };
    const userId = existing?._id ?? newUserId;
    if (!existing) {
      const user = { _id: userId, email, name, email_verified: true, created_at: at, updated_at: at };
      // An invited user joins an organization; any other gets a new one.
      await insertUser(db, isInvited ? user : { ...user, pending_organization: name }, session);
    } else if (!existing.email_verified) {
      await claimUser(db, userId, { name, email_verified: true }, session);
      await deletePassword(db, userId, session);
      await deleteSessions(db, userId, undefined, session);
    }
    await insertAccount(
      db,
      { _id: newAccountId, user_id: userId, provider_id: providerId, account_id: accountId, created_at: at, updated_at: at },
      session,
    );
    return { userId };
  });
}

/** Subjects are unique only within their issuer, and another issuer may be configured later (OpenID Connect Core 1.0, 5.7). */
const accountIdOf = ({ issuer, subject }: OidcIdentity): string => `${issuer} ${subject}`;

const MAX_NAME = 100;

/** The name that the provider has, if it is permitted here. */
function nameOf({ name = '' }: OidcIdentity, email: string): string {
  const clean = name
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
  return clean === '' || nameProblem(clean) !== undefined ? (email.split('@')[0] ?? '').slice(0, MAX_NAME) : clean;
}
