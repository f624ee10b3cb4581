import type { Request, RequestHandler, Response } from 'express';
import type { Context } from './context.ts';
import { runWithFault, type Caller, type Outcome } from './faults/run-with-fault.ts';
import type { Operation, Simulated } from './platforms/platform.ts';
import { lookupOrder } from './simulated.ts';
import { BEARER_OR_OAUTH, bearerOf } from './wire/bearer-of.ts';
import { readBody } from './wire/body.ts';
import type { Call } from './wire/call.ts';
import { matchPath } from './wire/path-pattern.ts';
import { sendReply } from './wire/send-reply.ts';
import { Rejection, type Reply } from './wire/reply.ts';
import { TOKEN_PREFIX } from './world/credentials.ts';

/**
 * `/graph.facebook.com/v25.0/me` is what `https://graph.facebook.com/v25.0/me` would be: finds the operation, records the exchange, and
 * applies the faults that match it.
 */
export function platformRouter(context: Context): RequestHandler {
  return async (request, response) => {
    const call = await callOf(request, context);
    const { platform, operation } = find(call, context);
    if (!platform) {
      response.status(404).json({
        error: {
          message: `The sandbox does not simulate the host ${call.host}`,
          hosts: [...new Set(lookupOrder.flatMap((one) => one.hosts))],
        },
      });
      return;
    }
    const record = context.journal.open(call, platform.name, operation?.name ?? null);
    const caller = callerOf(response, record);
    const met = { platform: platform.name, operation: operation?.name ?? null, method: call.method, path: call.path };
    const fault = isFromBeforeReset(call, context) ? null : context.faults.take(met);
    if (fault) record.ranInto(fault.kind.type);
    const work = () => workOf(call, platform, operation, context);
    const outcome = await runWithFault(fault, call, caller, work, platform);
    if (outcome.reply) record.responded(outcome.reply);
    deliver(response, outcome);
  };
}

async function callOf(request: Request, { spool }: Context): Promise<Call> {
  const url = new URL(request.originalUrl, 'http://sandbox');
  const [, host = '', ...segments] = url.pathname.split('/');
  const query = new URLSearchParams(url.search);
  const consent = query.get('_consent') ?? request.get('x-sandbox-consent');
  const accountId = query.get('_account') || request.get('x-sandbox-account') || null;
  query.delete('_consent');
  query.delete('_account');
  const headers = Object.fromEntries(
    Object.entries(request.headers)
      .filter(([name]) => !name.startsWith('x-sandbox-'))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
  return {
    origin: `http://${request.headers.host}`,
    host: host.toLowerCase(),
    method: request.method,
    path: `/${segments.join('/')}`,
    query,
    search: url.search,
    headers: { ...headers, host: host.toLowerCase() },
    body: await readBody(request, spool),
    params: {},
    consent: { decision: consent === 'allow' || consent === 'deny' ? consent : null, accountId },
    processing: {},
  };
}

/** A token that this sandbox has issued and a reset has removed: the call is rejected, and uses up no fault that is meant for another one. */
function isFromBeforeReset(call: Call, { world }: Context): boolean {
  const token = bearerOf(call, BEARER_OR_OAUTH) ?? call.query.get('access_token');
  return token?.startsWith(TOKEN_PREFIX) === true && !world.tokens.has(token);
}

/** A host without a matching operation still belongs to a platform, which responds with its own error. */
function find(call: Call, context: Context): { platform: Simulated | null; operation: Operation | null } {
  for (const platform of lookupOrder) {
    for (const operation of platform.operations) {
      if (operation.method !== call.method || !operation.hosts.includes(call.host)) continue;
      const params = matchPath(operation.path, call.path);
      if (!params) continue;
      call.params = params;
      if (!operation.when || operation.when(call, context)) return { platform, operation };
    }
  }
  call.params = {};
  return { platform: lookupOrder.find((platform) => platform.hosts.includes(call.host)) ?? null, operation: null };
}

async function workOf(call: Call, platform: Simulated, operation: Operation | null, context: Context): Promise<Reply> {
  if (!operation) return platform.notFound(call);
  try {
    return await operation.handle(call, context);
  } catch (error) {
    if (error instanceof Rejection) return error.reply;
    context.log.error({ err: error, operation: operation.name }, 'an operation of the sandbox failed');
    return platform.internalError();
  }
}

function callerOf(response: Response, record: { closed(completed: boolean): void }): Caller {
  response.once('close', () => record.closed(response.writableFinished));
  return {
    hasLeft: () => response.destroyed,
    onLeave: (listener) => (response.destroyed ? listener() : response.once('close', listener)),
  };
}

function deliver(response: Response, outcome: Outcome): void {
  if (outcome.send === 'nothing') response.socket?.destroy();
  else sendReply(response, outcome.reply, outcome.send);
}
