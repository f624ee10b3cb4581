import { bearerOf } from '../../wire/bearer-of.ts';
import type { Call } from '../../wire/call.ts';
import { Rejection, type Reply } from '../../wire/reply.ts';
import { tokenState, type Grant } from '../../world/credentials.ts';
import type { Account, World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { authenticationFailed, invalidRequest, notPermitted, tooManyRequests } from './errors.ts';
import { hosts, limits } from './limits.ts';

export interface PinterestCall extends Call {
  user: Account;
}

interface PinterestOperation extends Omit<Operation, 'handle' | 'hosts'> {
  scopes: string[];
  rate: keyof typeof limits.rates;
  /** Query parameters of this operation; Pinterest rejects others. */
  query?: readonly string[];
  handle: (call: PinterestCall, sandbox: Sandbox) => Promise<Reply> | Reply;
}

/** An operation that acts for a user: token, rate limit, scopes, path and query are checked, and every response has the rate-limit headers. */
export function pinterestOperation({ scopes, rate, query = [], handle, ...operation }: PinterestOperation): Operation {
  return {
    ...operation,
    hosts: [hosts.api],
    async handle(call, sandbox) {
      const { world, config } = sandbox;
      const found = userOf(call, world);
      if (!found) return authenticationFailed();
      const quota = spend(world, rate, found.user.id, config.limitsFactor);
      const response = quota.over ? tooManyRequests() : await responseOf(call, sandbox, found, { scopes, query, handle });
      return { ...response, headers: { ...quota.headers, ...response.headers } };
    },
  };
}

async function responseOf(
  call: Call,
  sandbox: Sandbox,
  found: { user: Account; grant: Grant },
  rules: Required<Pick<PinterestOperation, 'scopes' | 'query' | 'handle'>>,
): Promise<Reply> {
  try {
    const lacking = rules.scopes.filter((scope) => !found.grant.scopes.includes(scope));
    if (lacking.length) throw notPermitted(`Your access token lacks the required scopes: ${lacking.join(', ')}`);
    const unknown = [...call.query.keys()].find((name) => !rules.query.includes(name));
    if (unknown !== undefined) throw invalidRequest(`'${unknown}' is not a known query parameter`);
    const malformed = Object.values(call.params).find((value) => !/^\d+$/.test(value));
    if (malformed !== undefined) throw invalidRequest(`'${malformed}' does not match '^\\d+$'`);
    return await rules.handle({ ...call, user: found.user }, sandbox);
  } catch (error) {
    if (error instanceof Rejection) return error.reply;
    throw error;
  }
}

function userOf(call: Call, world: World): { user: Account; grant: Grant } | null {
  const presented = bearerOf(call);
  const token = presented === undefined ? undefined : world.tokens.get(presented);
  if (!token || token.platform !== 'pinterest' || token.kind !== 'access' || tokenState(world, token) !== 'valid') return null;
  const user = world.accounts.get(token.account_id!);
  return user ? { user, grant: world.grants.get(token.grant_id)! } : null;
}

/** Windows are fixed; a reset of the sandbox starts new ones. */
function spend(world: World, rate: keyof typeof limits.rates, userId: string, factor: number) {
  const { windowMs } = limits;
  const limit = Math.floor(limits.rates[rate] * factor);
  const windows = world.table<{ start: number; count: number }>('pinterest.windows');
  const id = `${rate}:${userId}`;
  const now = world.now();
  const start = Math.floor(now / windowMs) * windowMs;
  const known = windows.get(id);
  const count = known?.start === start ? known.count + 1 : 1;
  windows.set(id, { start, count });
  return {
    over: count > limit,
    headers: {
      'x-ratelimit-limit': `${limit}, ${limit};w=${windowMs / 1000}`,
      'x-ratelimit-remaining': String(Math.max(0, limit - count)),
      'x-ratelimit-reset': String(Math.ceil((start + windowMs - now) / 1000)),
    },
  };
}
