import type { Call } from '../../wire/call.ts';
import { json, Refusal } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import type { PlatformName } from '../platform-name.ts';
import { traceId } from './errors.ts';
import { graphParams, type Params } from './params.ts';
import { presentedToken } from './session.ts';
import { usageHeaders } from './usage.ts';
import { servedVersion } from './version.ts';

export interface GraphCall extends Call {
  values: Params;
  version: string;
}

/** An operation of a Graph host: its version is checked, its parameters are gathered, and its answers carry the headers that Meta's carry. */
export function graphOperation(
  platform: PlatformName,
  operation: Omit<Operation, 'handle'> & { handle: (call: GraphCall, sandbox: Sandbox) => unknown },
): Operation {
  return {
    ...operation,
    async handle(call, sandbox) {
      const common = { 'x-fb-trace-id': traceId(), 'cache-control': 'private, no-cache, no-store, must-revalidate' };
      let usage: Record<string, string> = {};
      try {
        const version = servedVersion(call.params['v'], call.path);
        const values = graphParams(call);
        usage = usageHeaders(platform, presentedToken(call, values), sandbox);
        const answer = await operation.handle({ ...call, values, version }, sandbox);
        return json(200, answer, { ...common, 'facebook-api-version': version, ...usage });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { ...error.reply, headers: { ...common, ...usage, ...error.reply.headers } };
      }
    },
  };
}
