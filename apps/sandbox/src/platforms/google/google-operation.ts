import type { z } from 'zod';
import { bearerOf } from '../../wire/bearer-of.ts';
import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import { tokenState, type Grant } from '../../world/credentials.ts';
import type { Account, World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import type { PlatformName } from '../platform-name.ts';
import { insufficientScopes, invalidArgument, reject, unauthenticated } from './errors.ts';
import { systemParameters } from './limits.ts';

export interface GoogleCall extends Call {
  grant: Grant;
  /** The accounts that the person allowed: one channel, or every location. Never empty. */
  accounts: [Account, ...Account[]];
}

export interface GoogleOperation extends Omit<Operation, 'handle'> {
  /** One of them is enough. */
  scopes: readonly string[];
  /** Query parameters of this operation, besides the common ones; others are rejected. */
  query?: readonly string[];
  handle: (call: GoogleCall, sandbox: Sandbox) => Promise<Reply> | Reply;
}

/** An operation that acts for a person: token, scopes, query names and the body's syntax are checked. */
export function googleOperation(platform: PlatformName, { scopes, query = [], handle, ...operation }: GoogleOperation): Operation {
  return {
    ...operation,
    async handle(call, sandbox) {
      const found = sessionOf(call, sandbox.world, platform);
      if (!found) return unauthenticated();
      if (!scopes.some((scope) => found.grant.scopes.includes(scope))) throw insufficientScopes();
      rejectUnknownParameters(call, query);
      if (call.body.kind === 'malformed') {
        throw reject(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Unexpected token.', { reason: 'parseError' });
      }
      return handle({ ...call, ...found }, sandbox);
    },
  };
}

/** The body, validated by its schema; problems are reported in Google's format. */
export function checkedBody<Schema extends z.ZodType>(schema: Schema, { body }: Call): z.output<Schema> {
  if (body.kind !== 'json' && body.kind !== 'none') {
    throw reject(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. The Content-Type must be application/json.', {
      reason: 'parseError',
    });
  }
  const parsed = schema.safeParse(body.kind === 'json' ? body.value : {});
  if (parsed.success) return parsed.data;
  throw invalidArgument(
    parsed.error.issues.flatMap((issue) => {
      const field = issue.path.join('.');
      if (issue.code !== 'unrecognized_keys') {
        return [{ field, description: `Invalid value at '${field}': ${issue.message}` }];
      }
      return issue.keys.map((key) => ({
        field,
        description: `Invalid JSON payload received. Unknown name "${key}"${field && ` at '${field}'`}: Cannot find field.`,
      }));
    }),
  );
}

function sessionOf(call: Call, world: World, platform: PlatformName): Pick<GoogleCall, 'grant' | 'accounts'> | null {
  const presented = bearerOf(call);
  const token = presented === undefined ? undefined : world.tokens.get(presented);
  if (token?.kind !== 'access' || token.platform !== platform || tokenState(world, token) !== 'valid') return null;
  const grant = world.grants.get(token.grant_id)!;
  const [first, ...others] = grant.account_ids.flatMap((id) => world.accounts.get(id) ?? []);
  return first ? { grant, accounts: [first, ...others] } : null;
}

function rejectUnknownParameters(call: Call, known: readonly string[]): void {
  const unknown = [...new Set(call.query.keys())].filter((name) => !known.includes(name) && !systemParameters.includes(name));
  if (unknown.length === 0) return;
  throw invalidArgument(
    unknown.map((name) => ({
      field: name,
      description: `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
    })),
  );
}
