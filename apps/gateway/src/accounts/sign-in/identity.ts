import type { GuardedClient } from '@fanfare/guarded-http';
import type { Keyring, Logger } from '@fanfare/runtime';
import type { Mongo } from '@fanfare/mongo';
import type { Config } from '../../config.ts';
import { createOidcProvider, type OidcProvider } from './oidc-provider.ts';
import { createAccessTokens, type AccessTokens } from './access-tokens.ts';
import { createBetterAuth, type BetterAuth } from './better-auth.ts';
import { createIdTokens, type IdTokens } from './id-tokens.ts';
import { createRefreshTokens, type RefreshTokens } from './refresh-tokens.ts';

/** Authenticates people. */
export interface Identity {
  /** Undefined if the token is invalid or has expired. `findUserCaller` checks whether its session still exists. */
  readonly verifyAccessToken: AccessTokens['verify'];
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly invitationTokens: IdTokens;
  /** Tokens of sign-ups. */
  readonly verificationTokens: IdTokens;
  /** Tokens of users that can only turn off the mails that contain them. */
  readonly unsubscribeTokens: IdTokens;
  /** Loaded at the first sign-in, because it is half as large as the rest of the process. */
  betterAuth(): Promise<BetterAuth>;
  /** Undefined if no provider is configured. */
  readonly oidc: OidcProvider | undefined;
  /** Runs work after the response, whose time would otherwise reveal something. Failures are logged. */
  later(work: () => Promise<void>): void;
  /** Waits for that work. */
  drain(): Promise<void>;
}

export function createIdentity({ config, log, mongo, keyring, web }: Parts): Identity {
  const accessTokens = createAccessTokens({ keyring, issuer: config.baseUrl });
  const underWay = new Set<Promise<void>>();
  let betterAuth: Promise<BetterAuth> | undefined;
  return {
    verifyAccessToken: accessTokens.verify,
    accessTokens,
    refreshTokens: createRefreshTokens(keyring),
    invitationTokens: createIdTokens(keyring, 'invitations'),
    verificationTokens: createIdTokens(keyring, 'sign-ups'),
    unsubscribeTokens: createIdTokens(keyring, 'unsubscribe'),
    betterAuth: () => (betterAuth ??= createBetterAuth({ db: mongo.db, client: mongo.client, keyring, config, log })),
    oidc: config.oidc && createOidcProvider(config.oidc, config.baseUrl, web),
    later(work) {
      const done = work()
        .catch((error: unknown) => log.error({ err: error }, 'work in the background of a request failed'))
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    async drain() {
      await Promise.all(underWay);
    },
  };
}

interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly mongo: Mongo;
  readonly keyring: Keyring;
  readonly web: GuardedClient;
}
