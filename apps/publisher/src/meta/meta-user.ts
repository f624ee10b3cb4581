import { loginNamesOf, META_PLATFORMS, readSignedRequest, type OAuthApp } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { PlatformUser } from './store/platform-users.ts';
import { appOf, type LoginMethod } from '../accounts/domain/app-of.ts';

/** Tolerance between our clock and Meta's, which has seconds, for a person who removes the app right after connecting. */
const SKEW_MS = 10_000;

/** The person in a request of Meta, and the app that they used. */
export interface MetaUser extends PlatformUser {
  readonly app: OAuthApp;
}

/** Every kind of app that we may have at Meta. */
const LOGIN_METHODS: readonly LoginMethod[] = META_PLATFORMS.flatMap((platform) => {
  const logins = loginNamesOf(platform);
  return logins.length === 0 ? [{ platform }] : logins.map((login) => ({ platform, login }));
});

/**
 * Reads a signed request. One app may serve several platforms; a person has a different id for each app.
 * @throws DomainError invalid_request, without details
 */
export function metaUserOf({ config }: Pick<Context, 'config'>, signedRequest: string): MetaUser {
  const now = currentTime();
  const apps = LOGIN_METHODS.flatMap((way) => {
    const app = appOf(config, way);
    return app ? [{ way, app }] : [];
  });
  // All are tried, so that the time does not reveal which one matches.
  const read = apps.map(({ app, way }) => ({ app, way, said: readSignedRequest(signedRequest, app.clientSecret, now) }));
  const [first] = read.filter(({ said }) => said !== undefined);
  if (!first?.said)
    throw new DomainError('invalid_request', 'The signature is not valid: Meta did not sign this request for our app.', {
      param: 'signed_request',
    });
  const ways = read.filter(({ app }) => app.clientSecret === first.app.clientSecret).map(({ way }) => way);
  const { userId, issuedAt } = first.said;
  return { app: first.app, ways, userId, grantedUntil: new Date(issuedAt.getTime() + SKEW_MS) };
}
