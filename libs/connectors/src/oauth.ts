import type { PlatformHttp } from './calls/http.ts';
import type { Options } from './connector.ts';
import type { FeatureScopes } from './features.ts';
import type { Platform } from './platform.ts';

/** The name of a login, if a platform has several: one of `LOGIN_NAMES`. */
export type LoginName = string;

/** Our app on a platform. */
export interface OAuthApp {
  /** The login that it is for, if not the platform's default one: its tokens work only there. */
  readonly login?: LoginName;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes to request instead of those that the features require: platforms reject logins that request more than the app was approved for. */
  readonly scopes?: readonly string[];
}

/** Tokens as the platform granted them. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Lifetime of the access token from the platform's response, in milliseconds; absent if it does not expire. */
  readonly expiresInMs?: number;
  /** Lifetime of the refresh token, counted in the same way; absent if it does not expire or is unknown. */
  readonly refreshExpiresInMs?: number;
  readonly scopes: readonly string[];
}

/** An account that a login grants, with the tokens to act for it. */
export interface GrantedAccount {
  readonly accountId: string;
  readonly username: string;
  readonly displayName: string;
  /** Name of the page behind the account; empty if the platform has none. */
  readonly page: string;
  readonly pictureUrl?: string;
  /** The platform's id, for our app, of the person who logged in, if that person's access applies to several accounts. */
  readonly userId?: string;
  /** The result of `OAuth.observe`. */
  readonly observed?: Options;
  readonly tokens: Tokens;
}

/** The platform's variant of the OAuth 2.0 authorization code flow. */
export interface OAuth {
  /** The scopes that each feature requires: logins request those of the enabled features (`features.ts`). */
  readonly features: FeatureScopes;
  /** The same for one account, if the accounts of a login differ, such as a person's own account and pages. If absent, `features` applies to all. */
  featuresOf?(accountId: string): FeatureScopes;
  readonly pkce: boolean;
  authorizeUrl(app: OAuthApp, request: { redirectUri: string; state: string; codeChallenge?: string }): string;
  /** Exchanges the code, makes the token long-lived if the platform supports it, and lists every account that the login grants. */
  exchangeCode(
    http: PlatformHttp,
    app: OAuthApp,
    request: { code: string; redirectUri: string; codeVerifier?: string },
  ): Promise<readonly GrantedAccount[]>;
  /**
   * Gets fresh tokens. If the response contains no refresh token, the old one stays valid: keep it.
   * @param account.tokens `expiresInMs` is the remaining lifetime of the access token, if known
   * @throws PlatformFailure `token_expired` if the grant is permanently invalid, `transient` if a retry may succeed.
   */
  refresh(http: PlatformHttp, app: OAuthApp, account: { accountId: string; tokens: Tokens }): Promise<Tokens>;
  /**
   * Reads options of the account from the platform, such as whether it subscribes. They apply if neither the post nor the account's
   * settings set them. Called when the account is connected and when a refresh is requested; absent if the platform has no such options.
   * @throws PlatformFailure
   */
  observe?(http: PlatformHttp, account: { accessToken: string }): Promise<Options>;
  /** The platforms on which all accounts of the same person lose their access with `revoke`, even accounts that another person or business connected. */
  readonly revokes?: readonly Platform[];
  /**
   * Revokes our access, if the platform supports it. Access that is already revoked is not a failure.
   * @throws PlatformFailure
   */
  revoke?(http: PlatformHttp, app: OAuthApp, account: { accountId: string; userId?: string | undefined; tokens: Tokens }): Promise<void>;
  /** The proof that a token was issued to our app, if the platform requires one: made with the app's secret, so that calls do not need it. */
  prove?(app: Pick<OAuthApp, 'clientSecret'>, accessToken: string): string;
}
