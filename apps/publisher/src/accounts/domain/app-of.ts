import { appNameOf, scopesToRequest, loginNamesOf, oauthOf, type LoginName, type OAuthApp, type Platform } from '@fanfare/connectors';
import type { Config } from '../../config.ts';

/** The login by which an account was or will be connected. */
export interface LoginMethod {
  readonly platform: Platform;
  /** Where the platform has several logins; its default one when absent, as in rows of older versions. */
  readonly login?: LoginName;
}

/** Our app for this login; undefined when the operator has not configured it. */
export function appOf({ platforms }: Pick<Config, 'platforms'>, { platform, login }: LoginMethod): OAuthApp | undefined {
  return platforms.apps.get(appNameOf(platform, login));
}

/** The configured logins of a platform, the default one first; empty for a platform with a single login. */
export function loginsSetUp(config: Pick<Config, 'platforms'>, platform: Platform): LoginName[] {
  return loginNamesOf(platform).filter((login) => appOf(config, { platform, login }) !== undefined);
}

/** The scopes that this login requests. */
export function requestedScopes(config: Pick<Config, 'platforms'>, way: LoginMethod): readonly string[] {
  return scopesToRequest(oauthOf(way.platform, way.login).features, appOf(config, way));
}
