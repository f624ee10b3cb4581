import { DomainError, notFound } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import { foundPendingOrganization } from '../people/found-organization.ts';
import type { Client } from '../sign-in/client.ts';
import { refuseDisabled } from '../sign-in/refuse-disabled.ts';
import { signedIn, type SignedIn } from '../sign-in/signed-in.ts';
import { takeCodeTry } from '../throttle.ts';
import { findSession } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';
import { hashBinding, isBinding, keep, newSecret, take } from './oidc-attempts.ts';
import type { OidcProvider } from '../sign-in/oidc-provider.ts';
import { oidcUser } from './oidc-user.ts';

/**
 * Begins a sign-in. `binding` is for the browser that begins it, to keep: without it the code that the callback brings is worth nothing, so
 * nobody can be made to sign in as somebody else by a link.
 * @throws DomainError resource_not_found, UPSTREAM_PROVIDER_ERROR
 */
export async function beginOidc(context: Context, providerId: string): Promise<{ authorizeUrl: string; binding: string }> {
  const provider = providerOf(context, providerId);
  const [state, nonce, codeVerifier, binding] = [newSecret(), newSecret(), newSecret(), newSecret()];
  const authorizeUrl = await provider.authorizeUrl({ state, nonce, codeVerifier }).catch((error: unknown) => {
    context.log.warn({ ...told(error) }, 'the OpenID Connect provider returned an unexpected response');
    throw new DomainError('UPSTREAM_PROVIDER_ERROR', `${provider.name} returned an unexpected response.`, { cause: error });
  });
  await keep(context, 'attempt', state, { providerId, state, nonce, codeVerifier, bindingHash: hashBinding(binding) });
  return { authorizeUrl, binding };
}

/** Where a callback leads: to the web app, with a code for `finishOidc`, or with the reason why there is none. Never anywhere else. */
export async function arriveFromOidc(context: Context, providerId: string, search: string, client: Client): Promise<string> {
  const provider = providerOf(context, providerId);
  const callback = new URL(search, provider.redirectUri);
  const { consoleUrl } = context.config;
  const state = callback.searchParams.get('state') ?? '';
  const attempt = await take(context, 'attempt', state);
  const refuse = async (reason: string, error?: unknown) => {
    context.log.warn({ reason, ...told(error) }, 'a sign-in at the OpenID Connect provider failed');
    const details = { method: providerId, reason };
    await recordUserAudit(context, undefined, { actor: 'anonymous', action: 'session.sign_in_failed', details, request: client.audit });
    return `${consoleUrl}/sign-in?error=${reason}`;
  };
  if (!attempt || attempt.providerId !== providerId) return refuse('expired');
  if (callback.searchParams.has('error')) return refuse('denied');

  const known = await provider.exchange(callback, attempt).catch((error: unknown) => ({ error }));
  if ('error' in known) return refuse('provider_failed', known.error);
  const found = await oidcUser(context, providerId, known);
  if ('refused' in found) return refuse(found.refused);
  const code = newSecret();
  await keep(context, 'arrival', code, { userId: found.userId, bindingHash: attempt.bindingHash });
  return `${consoleUrl}/sign-in/callback?code=${code}`;
}

/** @throws DomainError authentication_required; permission_denied when the user is disabled */
export async function finishOidc(context: Context, given: { code: string; binding: string }, client: Client): Promise<SignedIn> {
  const { db, identity } = context;
  await takeCodeTry(db, client);
  const arrival = await take(context, 'arrival', given.code);
  const user = arrival && isBinding(given.binding, arrival.bindingHash) ? await findUser(db, arrival.userId) : undefined;
  if (!user) throw new DomainError('authentication_required', 'This code has expired, was already used, or belongs to another sign-in.');

  const { internalAdapter } = await (await identity.betterAuth()).$context;
  const { id } = await internalAdapter.createSession(user._id, false, { ipAddress: client.ip, userAgent: client.userAgent });
  const session = await findSession(db, id);
  if (!session) throw new Error('A session that was just created is missing.');
  // As the user is now: they may have been disabled while the session was made.
  await refuseDisabled(context, (await findUser(db, user._id)) ?? user, session);
  await foundPendingOrganization(context, user._id, client);
  const entry = { actor: `user:${user._id}`, action: 'session.signed_in', targetType: 'session', targetId: id };
  await recordUserAudit(context, user._id, { ...entry, details: { method: identity.oidc?.id ?? '' }, request: client.audit });
  return signedIn(context, user, session);
}

function providerOf({ identity: { oidc } }: Context, id: string): OidcProvider {
  if (oidc?.id !== id) throw notFound('provider');
  return oidc;
}

/** Not the whole error: what a provider answered may be in it, tokens too. */
function told(error: unknown): object {
  const { code, message, reason, cause } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return { code, message, refused: reason, cause: cause instanceof Error ? cause.message : undefined };
}
