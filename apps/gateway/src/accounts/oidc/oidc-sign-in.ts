import { DomainError, notFound } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import { foundPendingOrganization } from '../people/found-organization.ts';
import type { Client } from '../sign-in/client.ts';
import { rejectDisabled } from '../sign-in/reject-disabled.ts';
import { signedIn, type SignedIn } from '../sign-in/signed-in.ts';
import { countCodeAttempt } from '../throttle.ts';
import { findSession } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';
import { hashBinding, isBinding, storeSealed, newSecret, consume } from './oidc-attempts.ts';
import type { OidcProvider } from '../sign-in/oidc-provider.ts';
import { oidcUser } from './oidc-user.ts';

/**
 * Begins a sign-in. The browser that begins it stores `binding`. Without it the code of the callback is useless, so that a link cannot sign a user in as
 * somebody else.
 * @throws DomainError resource_not_found, UPSTREAM_PROVIDER_ERROR
 */
export async function beginOidc(context: Context, providerId: string): Promise<{ authorizeUrl: string; binding: string }> {
  const provider = providerOf(context, providerId);
  const [state, nonce, codeVerifier, binding] = [newSecret(), newSecret(), newSecret(), newSecret()];
  const authorizeUrl = await provider.authorizeUrl({ state, nonce, codeVerifier }).catch((error: unknown) => {
    context.log.warn({ ...loggable(error) }, 'the OpenID Connect provider returned an unexpected response');
    throw new DomainError('UPSTREAM_PROVIDER_ERROR', `${provider.name} returned an unexpected response.`, { cause: error });
  });
  await storeSealed(context, 'attempt', state, { providerId, state, nonce, codeVerifier, bindingHash: hashBinding(binding) });
  return { authorizeUrl, binding };
}

/** The URL to which a callback redirects: always of the web app, with a code for `finishOidc` or the reason why there is none. */
export async function arriveFromOidc(context: Context, providerId: string, search: string, client: Client): Promise<string> {
  const provider = providerOf(context, providerId);
  const callback = new URL(search, provider.redirectUri);
  const { consoleUrl } = context.config;
  const state = callback.searchParams.get('state') ?? '';
  const attempt = await consume(context, 'attempt', state);
  const reject = async (reason: string, error?: unknown) => {
    context.log.warn({ reason, ...loggable(error) }, 'a sign-in at the OpenID Connect provider failed');
    const details = { method: providerId, reason };
    await recordUserAudit(context, undefined, { actor: 'anonymous', action: 'session.sign_in_failed', details, request: client.audit });
    return `${consoleUrl}/sign-in?error=${reason}`;
  };
  if (!attempt || attempt.providerId !== providerId) return reject('expired');
  if (callback.searchParams.has('error')) return reject('denied');

  const known = await provider.exchange(callback, attempt).catch((error: unknown) => ({ error }));
  if ('error' in known) return reject('provider_failed', known.error);
  const found = await oidcUser(context, providerId, known);
  if ('rejected' in found) return reject(found.rejected);
  const code = newSecret();
  await storeSealed(context, 'arrival', code, { userId: found.userId, bindingHash: attempt.bindingHash });
  return `${consoleUrl}/sign-in/callback?code=${code}`;
}

/** @throws DomainError authentication_required; permission_denied if the user is disabled */
export async function finishOidc(context: Context, given: { code: string; binding: string }, client: Client): Promise<SignedIn> {
  const { db, identity } = context;
  await countCodeAttempt(db, client);
  const arrival = await consume(context, 'arrival', given.code);
  const user = arrival && isBinding(given.binding, arrival.bindingHash) ? await findUser(db, arrival.userId) : undefined;
  if (!user) throw new DomainError('authentication_required', 'This code has expired, was already used, or belongs to another sign-in.');

  const { internalAdapter } = await (await identity.betterAuth()).$context;
  const { id } = await internalAdapter.createSession(user._id, false, { ipAddress: client.ip, userAgent: client.userAgent });
  const session = await findSession(db, id);
  if (!session) throw new Error('A session that was just created is missing.');
  // Read again, because the user may have been disabled while the session was created.
  await rejectDisabled(context, (await findUser(db, user._id)) ?? user, session);
  await foundPendingOrganization(context, user._id, client);
  const entry = { actor: `user:${user._id}`, action: 'session.signed_in', targetType: 'session', targetId: id };
  await recordUserAudit(context, user._id, { ...entry, details: { method: identity.oidc?.id ?? '' }, request: client.audit });
  return signedIn(context, user, session);
}

function providerOf({ identity: { oidc } }: Context, id: string): OidcProvider {
  if (oidc?.id !== id) throw notFound('provider');
  return oidc;
}

/** The loggable part of an error: the whole error may contain the provider's response, and tokens. */
function loggable(error: unknown): object {
  const { code, message, reason, cause } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return { code, message, rejected: reason, cause: cause instanceof Error ? cause.message : undefined };
}
