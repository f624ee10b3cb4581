import type { PretendApp } from '../../config.ts';
import { bearerOf } from '../../wire/bearer-of.ts';
import type { Call } from '../../wire/call.ts';
import { Rejection, type Reply } from '../../wire/reply.ts';
import { tokenState, type Grant } from '../../world/credentials.ts';
import type { Account } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { errorReply, invalidParams, invalidToken, reject, scopeNotAuthorized } from './errors.ts';
import { hosts, limits } from './limits.ts';

export interface TiktokCall extends Call {
  user: Account;
  grant: Grant;
  app: PretendApp;
}

interface TiktokOperation extends Omit<Operation, 'handle' | 'hosts' | 'when'> {
  /** Any one of them is enough. */
  scopes: readonly string[];
  rate: keyof typeof limits.rates;
  query?: readonly string[];
  handle: (call: TiktokCall, sandbox: Sandbox) => Promise<Reply> | Reply;
}

/** An operation that acts for a user. TikTok's paths end in a slash, and its bodies are JSON in UTF-8. */
export function tiktokOperation({ scopes, rate, query = [], handle, ...operation }: TiktokOperation): Operation {
  return {
    ...operation,
    hosts: [hosts.api],
    when: (call) => call.path.endsWith('/'),
    async handle(call, sandbox) {
      const found = userOf(call, sandbox);
      if (!found) return invalidToken();
      if (!scopes.some((scope) => found.grant.scopes.includes(scope))) return scopeNotAuthorized();
      if (isOver(rate, call.headers['authorization'] ?? '', sandbox)) {
        return errorReply(429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.');
      }
      try {
        for (const name of call.query.keys()) if (!query.includes(name)) throw invalidParams(`Unknown query parameter ${name}`);
        return await handle({ ...call, ...found }, sandbox);
      } catch (error) {
        if (error instanceof Rejection) return error.reply;
        throw error;
      }
    },
  };
}

/** The JSON body as an object. */
export function jsonBody({ body, headers }: Call): Record<string, unknown> {
  if (!/^application\/json(; *charset=utf-8)?$/i.test(headers['content-type'] ?? '')) {
    throw invalidParams('The Content-Type must be application/json; charset=UTF-8');
  }
  const value = body.kind === 'json' ? body.value : null;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalidParams('The request body must be a JSON object');
  return value as Record<string, unknown>;
}

export function appOf({ config }: Sandbox, clientKey: string | null | undefined): PretendApp | undefined {
  return config.apps.find((one) => one.platform === 'tiktok' && one.client_id === clientKey);
}

function userOf(call: Call, sandbox: Sandbox): Pick<TiktokCall, 'user' | 'grant' | 'app'> | null {
  const { world } = sandbox;
  const presented = bearerOf(call);
  const token = presented === undefined ? undefined : world.tokens.get(presented);
  if (token?.platform !== 'tiktok' || token.kind !== 'access') return null;
  const state = tokenState(world, token);
  if (state === 'expired') throw reject(401, 'access_token_expired', 'The access token has expired. Please refresh it.');
  const user = world.accounts.get(token.account_id!);
  const grant = world.grants.get(token.grant_id);
  const app = appOf(sandbox, grant?.client_id);
  return state === 'valid' && user && grant && app ? { user, grant, app } : null;
}

/** A sliding minute. Rejected calls do not count. */
function isOver(rate: keyof typeof limits.rates, key: string, { world, config }: Sandbox): boolean {
  const [calls, windowMs] = limits.rates[rate];
  const windows = world.table<number[]>('tiktok.calls');
  const id = `${rate}:${key}`;
  const recent = (windows.get(id) ?? []).filter((time) => time > world.now() - windowMs);
  const over = recent.length >= Math.floor(calls * config.limitsFactor);
  windows.set(id, over ? recent : [...recent, world.now()]);
  return over;
}
