import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Account, World } from '../../world/world.ts';
import { authorizeError, redirectUriAccepted } from '../../pages/consent-page.ts';
import type { PlatformName } from '../platform-name.ts';
import { identityScopes } from './limits.ts';

/** A product with Google sign-in. */
export interface Product {
  platform: PlatformName;
  /** Its name on the consent page. */
  title: string;
  /** Its scopes, in addition to those for a person's identity. */
  scopes: readonly string[];
  /** The accounts that a person can choose from. */
  accountsOf: (world: World) => Account[];
  /** If one consent covers all of them: the label of that choice. */
  all?: string;
}

const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'access_type',
  'state',
  'include_granted_scopes',
  'enable_granular_consent',
  'login_hint',
  'prompt',
  'code_challenge',
  'code_challenge_method',
];

/** The error page shown instead of the consent page; null if the request is valid. */
export function authorizeProblem({ query }: Call, app: PretendApp | undefined, { title, scopes }: Product): Reply | null {
  const fail = (error: string, why: string) => authorizeError(title, `Access blocked: authorization error. Error 400: ${error}. ${why}`);
  if (!app) return authorizeError(title, 'Access blocked: authorization error. Error 401: invalid_client. The OAuth client was not found.');
  const unknown = [...query.keys()].filter((name) => !parameters.includes(name));
  if (unknown.length) return fail('invalid_request', `Parameter not allowed for this message type: ${unknown.join(', ')}`);
  if (!redirectUriAccepted(app.redirect_uris, query.get('redirect_uri') ?? '')) return fail('redirect_uri_mismatch', '');
  if (query.get('response_type') !== 'code') return fail('unsupported_response_type', 'response_type must be code here.');
  const requested = (query.get('scope') ?? '').split(' ').filter(Boolean);
  if (requested.length === 0) return fail('invalid_request', 'Missing required parameter: scope');
  const invalid = requested.filter((scope) => !identityScopes.includes(scope) && !scopes.includes(scope));
  if (invalid.length) return fail('invalid_scope', `Some requested scopes were invalid. {invalid=[${invalid.join(', ')}]}`);
  const oneOf = (name: string, values: string[]) => (query.get(name) ?? values[0]!).split(' ').every((value) => values.includes(value));
  if (!oneOf('access_type', ['online', 'offline'])) return fail('invalid_request', 'Invalid parameter value for access_type');
  if (!oneOf('include_granted_scopes', ['false', 'true']))
    return fail('invalid_request', 'Invalid parameter value for include_granted_scopes');
  if (!oneOf('prompt', ['none', 'consent', 'select_account'])) return fail('invalid_request', 'Invalid parameter value for prompt');
  const challenge = query.get('code_challenge');
  if (challenge === null) return query.has('code_challenge_method') ? fail('invalid_request', 'Missing code_challenge.') : null;
  return /^[A-Za-z0-9._~-]{43,128}$/.test(challenge) && oneOf('code_challenge_method', ['plain', 'S256'])
    ? null
    : fail('invalid_request', 'Invalid code_challenge or code_challenge_method.');
}

export function chosenAccounts({ consent }: Call, world: World, { accountsOf, all }: Product): Account[] {
  const accounts = accountsOf(world);
  if (consent.accountId !== null) return accounts.filter(({ id }) => id === consent.accountId);
  return all === undefined ? accounts.slice(0, 1) : accounts;
}
