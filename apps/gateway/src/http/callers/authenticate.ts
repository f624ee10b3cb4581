import { DomainError } from '@fanfare/errors';
import { type Access, type Caller, isAtLeast, type Membership } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * The caller that the `Authorization` header names (RFC 6750, 2.1); undefined without a valid credential.
 * @param options `skipCache`: reads the database instead of the cache
 */
export async function findCaller(
  { callers }: Pick<Context, 'callers'>,
  authorization: string | undefined,
  { skipCache = false }: { readonly skipCache?: boolean } = {},
): Promise<Caller | undefined> {
  const credential = credentialOf(authorization);
  if (credential === undefined) return undefined;
  return skipCache ? callers.findUncached(credential) : callers.find(credential);
}

/** Whether a credential was sent that is not known to be valid. */
export function isGuess({ callers }: Pick<Context, 'callers'>, authorization: string | undefined): boolean {
  const credential = credentialOf(authorization);
  return credential !== undefined && !callers.wasRecentlyValid(credential);
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
 * Members of suspended organizations only can call what concerns themselves (their profile, their sessions), and nothing that keys can call.
 * For members of other organizations too, `checkAccess` rejects requests about the suspended ones.
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

/** A plan without API access still admits people: they use the web app. */
export function checkPlan({ kind, memberships }: Caller): void {
  if (kind === 'key' && !memberships.every(({ plan }) => plan.api_access)) {
    throw new DomainError('permission_denied', "The organization's plan does not include API access.");
  }
}

/**
 * Enforces roles and suspensions; no other code does.
 * @param membership undefined when the request is about no organization: then every signed-in user may
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
