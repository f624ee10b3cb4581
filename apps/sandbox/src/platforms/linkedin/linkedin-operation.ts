import { bearerOf } from '../../wire/bearer-of.ts';
import type { Call } from '../../wire/call.ts';
import { Rejection, type Reply } from '../../wire/reply.ts';
import { tokenState, type Grant } from '../../world/credentials.ts';
import type { World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { isOrganization } from './accounts.ts';
import { accessDenied, expiredToken, illegalArgument, noToken, reject, revokedToken, unknownToken, unprocessable } from './errors.ts';
import { hosts, limits } from './limits.ts';

export interface MemberCall extends Call {
  /** The member whose login it is. */
  member: string;
  grant: Grant;
}

interface MemberOperation extends Omit<Operation, 'handle' | 'hosts'> {
  hosts?: readonly string[];
  /** Whether it belongs to the versioned API under `/rest`; false for `/v2/userinfo` and uploads. */
  versioned?: false;
  /** One of them is enough. */
  scopes?: readonly string[];
  /** Query parameters of this operation; LinkedIn rejects others. */
  query?: readonly string[];
  /** A finder is marked by a header. */
  finder?: true;
  handle: (call: MemberCall, sandbox: Sandbox) => Promise<Reply> | Reply;
}

/** An operation that acts for a member: version and protocol headers, token, scopes, names in the query and the encoding of URNs are checked. */
export function memberOperation(operation: MemberOperation): Operation {
  const { versioned: _, scopes: _scopes, query: _query, finder: _finder, handle, ...rest } = operation;
  return {
    ...rest,
    hosts: operation.hosts ?? [hosts.api],
    async handle(call, sandbox) {
      try {
        if (operation.versioned !== false) checkVersion(call);
        const session = sessionOf(call, sandbox.world);
        checkCall(call, operation, session.grant);
        return await handle({ ...call, ...session }, sandbox);
      } catch (error) {
        if (error instanceof Rejection) return error.reply;
        throw error;
      }
    },
  };
}

function checkVersion(call: Call): void {
  const version = call.headers['linkedin-version'];
  const active: readonly string[] = limits.activeVersions;
  if (version === undefined)
    throw reject(400, 'VERSION_MISSING', 'A version must be present. Please specify a version by adding the LinkedIn-Version header.');
  // LinkedIn expands a version to a day: `20251201`.
  if (!active.includes(version)) throw reject(426, 'NONEXISTENT_VERSION', `Requested version ${version.slice(0, 20)}01 is not active`);
  if (call.headers['x-restli-protocol-version'] !== limits.protocolVersion)
    throw illegalArgument(`X-RestLi-Protocol-Version has to be ${limits.protocolVersion}`);
}

function sessionOf(call: Call, world: World): { member: string; grant: Grant } {
  const presented = bearerOf(call);
  if (presented === undefined) throw new Rejection(noToken());
  const token = world.tokens.get(presented);
  if (token?.platform !== 'linkedin' || token.kind !== 'access') throw new Rejection(unknownToken());
  const state = tokenState(world, token);
  if (state !== 'valid') throw new Rejection(state === 'expired' ? expiredToken() : revokedToken());
  return { member: token.account_id!, grant: world.grants.get(token.grant_id)! };
}

function checkCall(call: Call, { name, scopes = [], query = [], finder, versioned }: MemberOperation, grant: Grant): void {
  if (scopes.length > 0 && !scopes.some((scope) => grant.scopes.includes(scope)))
    throw accessDenied(`Not enough permissions to access: ${name.replace('linkedin.', '')}`);
  if (versioned !== false && /urn:/i.test(call.path)) throw illegalArgument('Syntax exception in path variables');
  for (const parameter of call.query.keys()) {
    if (!query.includes(parameter)) throw reject(400, 'QUERY_PARAM_NOT_ALLOWED', `Query parameter '${parameter}' is not allowed`);
  }
  if (finder && call.headers['x-restli-method']?.toUpperCase() !== 'FINDER')
    throw illegalArgument('X-RestLi-Method has to be FINDER for this request');
}

/** The body as an object. */
export function jsonBody(call: Call): Record<string, unknown> {
  const { body } = call;
  if (body.kind !== 'json' && body.kind !== 'malformed' && body.kind !== 'none')
    throw reject(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type has to be application/json');
  const value = body.kind === 'json' ? body.value : null;
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw unprocessable('ERROR :: / :: the request body has to be a JSON object');
  return value as Record<string, unknown>;
}

/** The member itself, or a page that it may post for. */
export function checkActor(call: MemberCall, urn: string, needed: { member: string; organization: string }): void {
  if (!/^urn:li:(person|organization):[\w-]+$/.test(urn)) throw reject(400, 'INVALID_URN_TYPE', `${urn} is no person and no organization`);
  const scope = isOrganization(urn) ? needed.organization : needed.member;
  const owns = urn === call.member || (isOrganization(urn) && call.grant.account_ids.includes(urn));
  if (!owns || !call.grant.scopes.includes(scope)) throw accessDenied(`Not enough permissions to act as ${urn}`);
}

/** LinkedIn does not report its quotas, which reset at midnight UTC. */
export function spend(call: MemberCall, { world, config }: Sandbox, rate: keyof typeof limits.rates): void {
  const day = new Date(world.now()).toISOString().slice(0, 10);
  const table = world.table<{ day: string; count: number }>('linkedin.quotas');
  const key = `${rate}:${call.member}`;
  const known = table.get(key);
  const count = known?.day === day ? known.count + 1 : 1;
  table.set(key, { day, count });
  if (count > Math.floor(limits.rates[rate] * config.limitsFactor))
    throw reject(429, 'TOO_MANY_REQUESTS', 'Resource level throttle MEMBER DAY limit for calls to this resource is reached.');
}
