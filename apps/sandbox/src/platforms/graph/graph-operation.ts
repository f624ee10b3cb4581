import type { Call } from '../../wire/call.ts';
import { json, Rejection } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import type { PlatformName } from '../platform-name.ts';
import { traceId } from './errors.ts';
import { graphParams, rejectUnknown, type Params } from './params.ts';
import { presentedToken } from './session.ts';
import { usageHeaders } from './usage.ts';
import { requireVersion, servedVersion } from './version.ts';

export interface GraphCall extends Call {
  values: Params;
  version: string;
}

interface GraphOperation extends Omit<Operation, 'handle'> {
  /** Its parameters, besides the common ones; others are rejected. */
  takes: readonly string[];
  /** Meta documents it without a version in its path. */
  versionless?: true;
  handle: (call: GraphCall, sandbox: Sandbox) => unknown;
}

/** An operation of a Graph host: its version is checked, its parameters are collected, unknown ones rejected, and its responses have Meta's headers. */
export function graphOperation(platform: PlatformName, { takes, versionless, handle, ...operation }: GraphOperation): Operation {
  return {
    ...operation,
    async handle(call, sandbox) {
      const common = { 'x-fb-trace-id': traceId(), 'cache-control': 'private, no-cache, no-store, must-revalidate' };
      let usage: Record<string, string> = {};
      try {
        const { v } = call.params;
        if (!versionless) requireVersion(v, call.path);
        const version = servedVersion(v, call.path);
        const values = graphParams(call);
        usage = usageHeaders(platform, presentedToken(call, values), sandbox);
        rejectUnknown(call, values, takes);
        const response = await handle({ ...call, values, version }, sandbox);
        return json(200, response, { ...common, 'facebook-api-version': version, ...usage });
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        return { ...error.reply, headers: { ...common, ...usage, ...error.reply.headers } };
      }
    },
  };
}
