import { ContentServiceService } from '@fanfare/contracts/content';
import { createHealth, type Health, type Logger, type PeerTls } from '@fanfare/runtime';
import { recordLog } from '@fanfare/testing';
import { createRpcClient, startRpcServer, type CallMetadata, type Handlers } from '../src/index.ts';

type ContentHandlers = Handlers<typeof ContentServiceService>;

/** Starts an RPC server with the definition of the content service. Methods without a handler fail. */
export async function runContent(
  handlers: Partial<ContentHandlers>,
  options: {
    port?: number;
    health?: Health;
    log?: Logger;
    tls?: PeerTls;
    callers?: Partial<Record<keyof ContentHandlers, string[]>>;
    reflection?: boolean;
    host?: string;
    maxConnectionAgeMs?: number;
  } = {},
): ReturnType<typeof startRpcServer> {
  const all = new Proxy(handlers, {
    get: (given, name) => Reflect.get(given, name) ?? (() => Promise.reject(new Error(`This test has no handler for ${String(name)}.`))),
  }) as ContentHandlers;
  return startRpcServer({
    address: `${options.host ?? '127.0.0.1'}:${options.port ?? 0}`,
    definition: ContentServiceService,
    handlers: all,
    health: options.health ?? createHealth(),
    log: options.log ?? recordLog().log,
    tls: options.tls,
    ...(options.callers && { callers: options.callers }),
    reflection: options.reflection ?? false,
    ...(options.maxConnectionAgeMs !== undefined && { maxConnectionAgeMs: options.maxConnectionAgeMs }),
  });
}

/** A real client of the content service. */
export const contentClient = (port: number, target = 'content', tls?: PeerTls) =>
  createRpcClient({ target, address: `127.0.0.1:${port}`, definition: ContentServiceService, log: recordLog().log, tls });

export const aCall = (metadata: Partial<CallMetadata> = {}): { metadata: CallMetadata } => ({
  metadata: { organizationId: 'org-1', businessId: 'biz-1', actor: 'key:k1', requestId: 'req_1', flowId: 'flow-1', ...metadata },
});
