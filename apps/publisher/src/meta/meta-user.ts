import { loginNamesOf, META_PLATFORMS, readSignedRequest, type OAuthApp } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { PlatformUser } from './store/platform-users.ts';
import { appOf, type LoginMethod } from '../accounts/domain/app-of.ts';

/** Our clock and Meta's, which tells seconds, may differ by this when a person removes at once what they have just allowed. */
const SKEW_MS = 10_000;

/** Whom Meta speaks of, and the app that they used. */
export interface MetaUser extends PlatformUser {
  readonly app: OAuthApp;
}

/** Every kind of app that we may have at Meta. */
const LOGIN_METHODS: readonly LoginMethod[] = META_PLATFORMS.flatMap((platform) => {
  const logins = loginNamesOf(platform);
  return logins.length === 0 ? [{ platform }] : logins.map((login) => ({ platform, login }));
});

/**
 * Reads what Meta signed. One app may serve several platforms; people have another id with each app.
 * @throws DomainError invalid_request, which says nothing of what is wrong with it
 */
export function metaUserOf({ config }: Pick<Context, 'config'>, signedRequest: string): MetaUser {
  const now = currentTime();
  const apps = LOGIN_METHODS.flatMap((way) => {
    const app = appOf(config, way);
    return app ? [{ way, app }] : [];
  });
  // All are tried, so that it takes as long for whichever it is.
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
