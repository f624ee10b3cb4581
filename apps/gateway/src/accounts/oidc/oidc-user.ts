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

/** Why somebody whom a provider knows may not come in. */
type OidcRefusal = 'email_not_verified' | 'not_invited';

/**
 * The user behind an account at a provider. A new account is linked to who has its address, if the provider vouches for the address; who has
 * no account is made one, if they may sign up or were invited.
 */
export async function oidcUser(
  context: Context,
  providerId: string,
  identity: OidcIdentity,
): Promise<{ userId: string } | { refused: OidcRefusal }> {
  const { db } = context;
  const accountId = accountIdOf(identity);
  const known = async () => {
    const userId = await findAccountUserId(db, providerId, accountId);
    return userId === undefined ? undefined : { userId };
  };
  const linked = await known();
  if (linked) return linked;
  const email = normalizeEmail(identity.email ?? '');
  if (email === undefined || !identity.isEmailVerified) return { refused: 'email_not_verified' };

  const isInvited = (await listOpenInvitationsTo(db, email)).length > 0;
  const newcomer = { providerId, accountId, email, name: nameOf(identity, email), isInvited };
  try {
    return await link(context, newcomer);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another sign-in of theirs was quicker, by this account or by another way.
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
): Promise<{ userId: string } | { refused: OidcRefusal }> {
  const [newUserId, newAccountId, at] = [newId(), newId(), currentTime()];
  return transaction(mongo.client, async (session) => {
    const existing = await findUserByEmail(db, email, session);
    if (!existing && !isInvited && config.signUp !== 'open') return { refused: 'not_invited' as const };
    const userId = existing?._id ?? newUserId;
    if (!existing) {
      const user = { _id: userId, email, name, email_verified: true, created_at: at, updated_at: at };
      // Who was invited joins an organization; anybody else gets one of their own.
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

/** Subjects are unique to their issuer only, and another issuer may be set up some day (OpenID Connect Core 1.0, 5.7). */
const accountIdOf = ({ issuer, subject }: OidcIdentity): string => `${issuer} ${subject}`;

const MAX_NAME = 100;

/** The provider's word, where people may call themselves that here. */
function nameOf({ name = '' }: OidcIdentity, email: string): string {
  const clean = name
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
  return clean === '' || nameProblem(clean) !== undefined ? (email.split('@')[0] ?? '').slice(0, MAX_NAME) : clean;
}
