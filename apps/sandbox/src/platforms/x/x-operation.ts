import { bearerOf } from '../../wire/bearer-of.ts';
import type { Call } from '../../wire/call.ts';
import { Rejection, type Reply } from '../../wire/reply.ts';
import { tokenState, type Grant } from '../../world/credentials.ts';
import type { Account, World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { forbidden, invalidRequest, tooManyRequests, unauthorized } from './errors.ts';
import { hosts, limits } from './limits.ts';

export interface XCall extends Call {
  user: Account;
}

interface XOperation extends Omit<Operation, 'handle' | 'hosts'> {
  scopes: string[];
  rate: keyof typeof limits.rates;
  /** Query parameters of this operation; X rejects others. */
  query?: readonly string[];
  handle: (call: XCall, sandbox: Sandbox) => Promise<Reply> | Reply;
}

/** An operation that acts for a user: token, scopes, rate limit and query names are checked, and every response has the rate-limit headers. */
export function xOperation({ scopes, rate, query = [], handle, ...operation }: XOperation): Operation {
  return {
    ...operation,
    hosts: [hosts.api],
    async handle(call, sandbox) {
      const { world, config } = sandbox;
      const found = userOf(call, world);
      if (!found) return unauthorized();
      const quota = spend(world, rate, found.user.id, config.limitsFactor);
      const perApp = rate === 'create_post' ? spend(world, 'create_post_app', found.grant.client_id, config.limitsFactor) : null;
      const response = quota.over || perApp?.over ? tooManyRequests() : await responseOf(call, sandbox, found, { scopes, query, handle });
      return { ...response, headers: { ...quota.headers, ...response.headers } };
    },
  };
}

async function responseOf(
  call: Call,
  sandbox: Sandbox,
  found: { user: Account; grant: Grant },
  rules: Required<Pick<XOperation, 'scopes' | 'query' | 'handle'>>,
): Promise<Reply> {
  try {
    const lacking = rules.scopes.filter((scope) => !found.grant.scopes.includes(scope));
    if (lacking.length) throw forbidden(`The token lacks the required scope: ${lacking.join(' ')}`);
    if (call.body.kind === 'malformed') throw invalidRequest('The request body could not be parsed.');
    for (const name of call.query.keys()) {
      if (!rules.query.includes(name)) throw invalidRequest(`The query parameter [${name}] is not one of [${rules.query.join(',')}]`);
    }
    if (call.params['user_id'] !== undefined && !/^\d{1,19}$/.test(call.params['user_id'])) {
      throw invalidRequest(`The \`id\` query parameter value [${call.params['user_id']}] is not valid`);
    }
    return await rules.handle({ ...call, user: found.user }, sandbox);
  } catch (error) {
    if (error instanceof Rejection) return error.reply;
    throw error;
  }
}

function userOf(call: Call, world: World): { user: Account; grant: Grant } | null {
  const presented = bearerOf(call);
  const token = presented === undefined ? undefined : world.tokens.get(presented);
  if (!token || token.platform !== 'x' || token.kind !== 'access' || tokenState(world, token) !== 'valid') return null;
  const user = world.accounts.get(token.account_id!);
  return user ? { user, grant: world.grants.get(token.grant_id)! } : null;
}

/** Windows are fixed; a reset of the sandbox starts new ones. */
function spend(world: World, rate: keyof typeof limits.rates, key: string, factor: number) {
  const [calls, windowMs] = limits.rates[rate];
  const limit = Math.floor(calls * factor);
  const windows = world.table<{ start: number; count: number }>('x.windows');
  const id = `${rate}:${key}`;
  const start = Math.floor(world.now() / windowMs) * windowMs;
  const known = windows.get(id);
  const count = known?.start === start ? known.count + 1 : 1;
  windows.set(id, { start, count });
  return {
    over: count > limit,
    headers: {
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(Math.max(0, limit - count)),
      'x-rate-limit-reset': String((start + windowMs) / 1000),
    },
  };
}

/** The JSON body as an object. */
export function jsonBody(call: Call): Record<string, unknown> {
  const value = call.body.kind === 'json' ? call.body.value : null;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalidRequest('The request body must be a JSON object.');
  return value as Record<string, unknown>;
}
