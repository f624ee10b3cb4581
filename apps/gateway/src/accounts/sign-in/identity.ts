import type { GuardedClient } from '@fanfare/guarded-http';
import type { Keyring, Logger } from '@fanfare/runtime';
import type { Mongo } from '@fanfare/mongo';
import type { Config } from '../../config.ts';
import { createOidcProvider, type OidcProvider } from './oidc-provider.ts';
import { createAccessTokens, type AccessTokens } from './access-tokens.ts';
import { createBetterAuth, type BetterAuth } from './better-auth.ts';
import { createIdTokens, type IdTokens } from './id-tokens.ts';
import { createRefreshTokens, type RefreshTokens } from './refresh-tokens.ts';

/** People: who they are, and how they prove it. */
export interface Identity {
  /** Undefined when the token is not one of ours, or has expired. Whether its session is alive, `findUserCaller` knows. */
  readonly verifyAccessToken: AccessTokens['verify'];
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly invitationTokens: IdTokens;
  /** Of sign-ups. */
  readonly verificationTokens: IdTokens;
  /** Of users, good for nothing but to stop the mails that carry them. */
  readonly unsubscribeTokens: IdTokens;
  /** Loaded when somebody signs in for the first time: it is as large as half of the rest. */
  betterAuth(): Promise<BetterAuth>;
  /** Undefined when none is set up. */
  readonly oidc: OidcProvider | undefined;
  /** Does what a response must not wait for, because how long it takes would tell something. Failures are logged. */
  later(work: () => Promise<void>): void;
  /** Waits for that. */
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
