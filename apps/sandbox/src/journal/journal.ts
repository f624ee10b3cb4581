import type { SimulatedName } from '../platforms/platform.ts';
import { describeBody } from '../wire/body.ts';
import type { Call } from '../wire/call.ts';
import type { Reply } from '../wire/reply.ts';
import { maskHeaders, maskRequest, maskResponse } from './mask.ts';

/** One request and response as the real host would have seen them, without secrets. */
export interface Exchange {
  seq: number;
  at: string;
  platform: SimulatedName | null;
  operation: string | null;
  host: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
  response: unknown;
  duration_ms: number | null;
  /** The whole response was sent to the caller. */
  completed: boolean;
  /** The type of the fault that this call ran into. */
  fault: string | null;
}

interface ExchangeFilter {
  platform?: SimulatedName | undefined;
  afterSeq?: number;
  /** ISO time. */
  notBefore?: string;
  matches?: (path: string) => boolean;
  limit: number;
}

export type Journal = ReturnType<typeof createJournal>;

/** The newest exchanges, in order; the oldest are dropped. */
export function createJournal(now: () => number, capacity = 20_000) {
  let seq = 0;
  let items: Exchange[] = [];
  return {
    open(call: Call, platform: SimulatedName | null, operation: string | null) {
      const startedAt = performance.now();
      const exchange: Exchange = {
        seq: ++seq,
        at: new Date(now()).toISOString(),
        platform,
        operation,
        host: call.host,
        method: call.method,
        path: call.path,
        query: maskRequest(Object.fromEntries(call.query)),
        headers: maskHeaders(call.headers),
        body: maskRequest(describeBody(call.body)),
        status: null,
        response: null,
        duration_ms: null,
        completed: false,
        fault: null,
      };
      items.push(exchange);
      if (items.length > capacity * 1.1) items = items.slice(-capacity);
      return {
        responded(reply: Reply) {
          exchange.status = reply.status;
          exchange.response = maskResponse(describeReply(reply));
        },
        closed(completed: boolean) {
          exchange.completed = completed;
          exchange.duration_ms = Math.round(performance.now() - startedAt);
        },
        ranInto(fault: string) {
          exchange.fault = fault;
        },
      };
    },
    /** Oldest first; if there are more than the limit, the newest of them. */
    list({ platform, afterSeq = 0, notBefore = '', matches = () => true, limit }: ExchangeFilter): Exchange[] {
      return items
        .slice(-capacity)
        .filter((one) => one.seq > afterSeq && one.at >= notBefore && (!platform || one.platform === platform) && matches(one.path))
        .slice(-limit);
    },
    clear() {
      items = [];
    },
  };
}

function describeReply(reply: Reply): unknown {
  if (reply.body.kind === 'json') return reply.body.value;
  if (reply.body.kind === 'file') return { content_type: reply.body.type, size: reply.body.bytes.length };
  if (reply.body.kind !== 'none') return { [`${reply.body.kind}_length`]: reply.body.text.length };
  return reply.headers['location'] ? { location: reply.headers['location'] } : null;
}
