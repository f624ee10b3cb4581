import { appNameOf, scopesToRequest, loginNamesOf, oauthOf, type LoginName, type OAuthApp, type Platform } from '@fanfare/connectors';
import type { Config } from '../../config.ts';

/** How an account came to us, or is to come. */
export interface LoginMethod {
  readonly platform: Platform;
  /** Where the platform has several ways to sign in; its usual one when absent, as in rows of older versions. */
  readonly login?: LoginName;
}

/** Our app by which people sign in that way; undefined when an operator has not set it up. */
export function appOf({ platforms }: Pick<Config, 'platforms'>, { platform, login }: LoginMethod): OAuthApp | undefined {
  return platforms.apps.get(appNameOf(platform, login));
}

/** The ways to sign in that are set up, the usual one first; none for a platform with one way alone. */
export function loginsSetUp(config: Pick<Config, 'platforms'>, platform: Platform): LoginName[] {
  return loginNamesOf(platform).filter((login) => appOf(config, { platform, login }) !== undefined);
}

/** What people are asked to allow who sign in that way. */
export function requestedScopes(config: Pick<Config, 'platforms'>, way: LoginMethod): readonly string[] {
  return scopesToRequest(oauthOf(way.platform, way.login).features, appOf(config, way));
}
