import { newId, type Keyring, type Logger } from '@fanfare/runtime';
import type { Db, MongoClient } from 'mongodb';
import type { Config } from '../../config.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { createPasswordHashing } from '../passwords/password-hashing.ts';
import { SESSION_IDLE_MS } from '../store/sessions.ts';
import type { Client } from './client.ts';
import { onDatabaseTime } from '../store/database-time.ts';

export type BetterAuth = Awaited<ReturnType<typeof createBetterAuth>>;

/** The header that passes the caller's address to better-auth. */
const CLIENT_ADDRESS = 'x-client-address';

/** All headers that better-auth gets. It never sees a header of the caller. */
export const clientHeaders = ({ ip, userAgent }: Client): Headers => new Headers({ [CLIENT_ADDRESS]: ip, 'user-agent': userAgent });

/**
 * better-auth on our collections. Only its server API is called. Its HTTP handler and its cookies are not used, so its session tokens are no credentials:
 * they never leave the database.
 */
export async function createBetterAuth({ db, client, keyring, config, log }: Parts) {
  const [{ betterAuth }, { mongodbAdapter }] = await Promise.all([import('better-auth/minimal'), import('better-auth/adapters/mongodb')]);
  const mailing = { db, keyring, config };
  const adapter = mongodbAdapter(db, { client });
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    baseURL: config.baseUrl,
    secret: keyring.derive('better-auth')[0].bytes.toString('base64'),
    database: (options: Parameters<typeof adapter>[0]) => onDatabaseTime(adapter(options)),
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...times } },
    session: {
      modelName: 'sessions',
      fields: { userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'ip', userAgent: 'user_agent', ...times },
      expiresIn: SESSION_IDLE_MS / 1000,
      additionalFields: { refreshGeneration: { type: 'number', input: false, defaultValue: 0, fieldName: 'refresh_generation' } },
    },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
    },
    verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...times }, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      // Our own transactions create users and set passwords.
      disableSignUp: true,
      requireEmailVerification: true,
      password: createPasswordHashing(),
      sendResetPassword: ({ user, token }) =>
        queueMail(mailing, { id: newId(), to: user.email, template: 'password_reset', data: { name: user.name, token } }),
    },
    advanced: {
      // A function keeps the adapter from turning ids into ObjectIds.
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS] },
      disableOriginCheck: true,
      disableCSRFCheck: true,
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      // Only the message: further arguments may contain data of callers.
      log: (_level, message) => log.error({ library: 'better-auth' }, message),
    },
  });
}

interface Parts {
  readonly db: Db;
  readonly client: MongoClient;
  readonly keyring: Keyring;
  readonly config: Config;
  readonly log: Logger;
}
