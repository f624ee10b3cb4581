import { setTimeout as wait } from 'node:timers/promises';
import { html, json, type Reply } from '../wire/reply.ts';
import type { Call } from '../wire/call.ts';
import type { Simulated } from '../platforms/platform.ts';
import type { FaultTable } from './fault-table.ts';

/** How the response is sent: whole, truncated, or not at all. */
export type Outcome = { reply: Reply; send: 'whole' | 'truncated' } | { reply: Reply | null; send: 'nothing' };

/** The client's side of the connection. */
export interface Caller {
  hasLeft(): boolean;
  onLeave(listener: () => void): void;
}

/**
 * Runs the platform's operation before, around or instead of a fault. An operation that has begun does not stop when its caller disconnects;
 * only a call that is held before its operation is abandoned with its caller.
 */
export async function runWithFault(
  fault: ReturnType<FaultTable['take']>,
  call: Call,
  caller: Caller,
  work: () => Promise<Reply>,
  platform: Pick<Simulated, 'revokedToken' | 'rejection'>,
): Promise<Outcome> {
  if (!fault) return whole(await work());
  const { kind } = fault;
  const held = (ms?: number) => {
    const waiting = fault.hold(ms);
    caller.onLeave(waiting.leave);
    return waiting.done;
  };
  switch (kind.type) {
    case 'status': {
      // The default body is the platform's own error, unless the operation was done and only the status is to mislead.
      const done = kind.apply === 'after' ? await work() : platform.rejection(kind.status);
      const headers = { ...done.headers, ...kind.headers };
      if (kind.body === undefined) return whole({ ...done, status: kind.status, headers });
      return whole(typeof kind.body === 'string' ? html(kind.status, kind.body, headers) : json(kind.status, kind.body, headers));
    }
    case 'html': {
      if (kind.apply === 'after') await work();
      return whole(html(kind.status, '<html><head><title>Sorry</title></head><body><h1>Something went wrong</h1></body></html>'));
    }
    case 'revoked_token':
      return whole(platform.revokedToken());
    case 'delay':
      await wait(kind.ms);
      return whole(await work());
    case 'drop':
      return { reply: null, send: 'nothing' };
    case 'accept_then_drop':
      return { reply: await work(), send: 'nothing' };
    case 'accept_then_timeout': {
      const reply = await work();
      await held(kind.ms);
      return { reply, send: 'nothing' };
    }
    case 'hold':
      return (await held()) ? whole(await work()) : { reply: null, send: 'nothing' };
    case 'hold_after': {
      const reply = await work();
      await held();
      return whole(reply);
    }
    case 'truncate':
      return { reply: await work(), send: 'truncated' };
    case 'slow_processing':
      call.processing = { ms: kind.ms };
      return whole(await work());
    case 'processing_error':
      call.processing = {
        error: { ...(kind.code !== undefined && { code: kind.code }), ...(kind.message !== undefined && { message: kind.message }) },
      };
      return whole(await work());
  }
}

const whole = (reply: Reply): Outcome => ({ reply, send: 'whole' });
