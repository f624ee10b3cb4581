import { DomainError } from '@fanfare/errors';
import { type Access, type Caller, isAtLeast, type Membership } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Who calls, by the `Authorization` header (RFC 6750, 2.1); undefined when that is nobody. @param options `now`: as it is now, not as it was seconds ago */
export async function findCaller(
  { callers }: Pick<Context, 'callers'>,
  authorization: string | undefined,
  { now = false }: { readonly now?: boolean } = {},
): Promise<Caller | undefined> {
  const credential = credentialOf(authorization);
  if (credential === undefined) return undefined;
  return now ? callers.findNow(credential) : callers.find(credential);
}

/** Whether somebody tries a credential that we have not seen work. */
export function isGuess({ callers }: Pick<Context, 'callers'>, authorization: string | undefined): boolean {
  const credential = credentialOf(authorization);
  return credential !== undefined && !callers.isFamiliar(credential);
}

const credentialOf = (authorization: string | undefined) => (authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]);

export function notAuthenticated(authorization: string | undefined): DomainError {
  return new DomainError(
    'authentication_required',
    authorization === undefined
      ? 'Send an API key or an access token in the "Authorization: Bearer …" header.'
      : 'This is not a valid API key or access token, or it has expired or was revoked.',
  );
}

/**
 * Whoever belongs to suspended organizations alone is let in to what is their own (who they are, their sessions), and to nothing that keys may call.
 * Who belongs to others too is refused where a suspended one is concerned: `checkAccess`.
 * @throws DomainError permission_denied
 */
export function checkSuspension({ memberships }: Caller, { keys }: Access): void {
  if (keys && memberships.length > 0 && memberships.every(({ suspended }) => suspended)) throw organizationSuspended();
}

const organizationSuspended = () =>
  new DomainError(
    'permission_denied',
    'The organization is suspended. Its API keys and members have no access until the operator restores it.',
  );

/** A plan without API access still lets people in: they come through the web app. */
export function checkPlan({ kind, memberships }: Caller): void {
  if (kind === 'key' && !memberships.every(({ plan }) => plan.api_access)) {
    throw new DomainError('permission_denied', "The organization's plan does not include API access.");
  }
}

/**
 * The one place where roles and suspensions are enforced.
 * @param membership undefined where no organization is concerned: then everybody signed in may
 */
export function checkAccess({ keys, users }: Access, caller: Caller, membership: Membership | undefined): void {
  if (membership?.suspended) throw organizationSuspended();
  if (caller.kind === 'key' && !keys) {
    throw new DomainError(
      'permission_denied',
      `This operation requires a signed-in user with the role ${users} or higher; API keys cannot use it.`,
    );
  }
  if (caller.kind === 'user' && membership && !isAtLeast(membership.role, users)) {
    throw new DomainError(
      'permission_denied',
      `This operation requires the role ${users}. Your role in this organization is ${membership.role}.`,
    );
  }
}
