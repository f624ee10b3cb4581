import { isLoginOfAccount, loginNamesOf, type LoginName, type Platform } from '@fanfare/connectors';
import type { ClientSession, Db } from 'mongodb';
import type { ConnectionAttemptDocument } from '../../accounts/store/connection-attempts.ts';
import type { IntegrationDocument } from '../../accounts/store/integrations.ts';

/** A person on some platforms, as the apps that we have there know them. */
export interface PlatformUser {
  /** What that app is for. */
  readonly ways: readonly { readonly platform: Platform; readonly login?: LoginName }[];
  readonly userId: string;
  /** Grants after this time are not affected. */
  readonly grantedUntil: Date;
}

const integrations = (db: Db) => db.collection<IntegrationDocument>('integrations');
const attempts = (db: Db) => db.collection<ConnectionAttemptDocument>('connection_attempts');

export async function createPlatformUserIndexes(db: Db): Promise<void> {
  const partialFilterExpression = { platform_user_id: { $exists: true } };
  await integrations(db).createIndex({ platform_user_id: 1 }, { partialFilterExpression });
  await attempts(db).createIndex({ platform_user_id: 1 }, { partialFilterExpression });
}

const whose = ({ ways, userId, grantedUntil }: PlatformUser) => ({
  $or: ways.map(({ platform, login }) =>
    login && isLoginOfAccount(platform, login)
      ? // With this login the person is the account. Meta does not document which of its two ids it uses here.
        { platform, login, $or: [{ platform_user_id: userId }, { account_id: userId }] }
      : { platform, login: { $nin: loginNamesOf(platform).slice(1) }, platform_user_id: userId },
  ),
  granted_at: { $lte: grantedUntil },
});

/** The accounts that use a login of this person, in any organization. */
export async function findIntegrationsOfUser(db: Db, user: PlatformUser, session: ClientSession): Promise<IntegrationDocument[]> {
  return integrations(db).find(whose(user), { session }).sort({ _id: 1 }).toArray();
}

/** Erases the accounts offered from a login of this person, with their tokens. */
export async function withdrawOffersOfUser(db: Db, user: PlatformUser, error_message: string, session: ClientSession): Promise<void> {
  await attempts(db).updateMany(
    whose(user),
    {
      $set: { status: 'CONNECTION_STATUS_FAILED', error: 'access_denied', error_message },
      $unset: { offered: true, platform_user_id: true },
    },
    { session },
  );
}

export async function eraseIntegration(db: Db, id: string, session: ClientSession): Promise<void> {
  await integrations(db).deleteOne({ _id: id }, { session });
}
