import { Client as GrpcClient, status, type ServiceError } from '@grpc/grpc-js';
import { DomainError } from '@fanfare/errors';
import { histogram, type Logger, type PeerTls } from '@fanfare/runtime';
import { createBreaker } from './breaker.ts';
import { toMetadata } from './call-metadata.ts';
import { clientCredentials } from './credentials.ts';
import type { CallOptions, Client, Method, ServiceDefinition } from './service-types.ts';
import { fromServiceError, wasBrokenOff } from './status.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/** Retries calls that did not reach the service, so that restarts of about a second are not noticed. Safe because every call can be repeated (operation ids). */
const SERVICE_CONFIG = {
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: [
    {
      name: [{}],
      retryPolicy: {
        maxAttempts: 5,
        initialBackoff: '0.1s',
        maxBackoff: '1s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
};

/** Repeats a call that was broken off, once: nothing is known of it, repeating it is safe, and by then it has another session. */
function repeatOrThrow<T>(error: unknown, attempt: () => Promise<T>): Promise<T> {
  if (error instanceof DomainError && wasBrokenOff(error.cause)) return attempt();
  throw error;
}

/**
 * Creates a client of one service. Every call has a deadline and call metadata; all calls share a circuit breaker.
 * Every failure is a DomainError: the error of the service, or `internal_error` if it did not respond.
 */
export function createRpcClient<D extends ServiceDefinition>(options: {
  target: string;
  address: string;
  definition: D;
  log: Logger;
  /** Without it, connections are neither encrypted nor authenticated: only for loopback. */
  tls?: PeerTls | undefined;
}): { client: Client<D>; problem(): string | undefined; close(): void } {
  const { target, definition } = options;
  const grpc = new GrpcClient(options.address, clientCredentials(options.tls), {
    'grpc.service_config': JSON.stringify(SERVICE_CONFIG),
    'grpc.service_config_disable_resolution': 1,
    'grpc.max_receive_message_length': 16 << 20,
    // All calls share a connection. With HTTP/2's default of 64 KiB, two large responses in flight would block a third one.
    'grpc-node.flow_control_window': 4 << 20,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
    'grpc.dns_min_time_between_resolutions_ms': 5_000,
  });
  const seconds = histogram('fanfare_rpc_client_seconds', 'RPC calls made, by method and code.', ['method', 'code']);
  const breaker = createBreaker(target, options.log);

  const client: Record<string, (request: never, options: CallOptions) => Promise<unknown>> = {};
  for (const [name, method] of Object.entries(definition)) {
    client[name] = (request, { call, timeoutMs = DEFAULT_TIMEOUT_MS }) => {
      const now = Date.now();
      const own = now + timeoutMs;
      const deadline = call.deadline ? Math.min(own, call.deadline.getTime()) : own;
      const attempt = () => unary(method, request, toMetadata(call.metadata), deadline);
      return breaker(() => attempt().catch((error: unknown) => repeatOrThrow(error, attempt)), deadline - now);
    };
  }

  function unary(method: Method, request: never, metadata: ReturnType<typeof toMetadata>, deadline: number): Promise<unknown> {
    const stop = seconds.startTimer({ method: method.path });
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, response?: unknown) => {
        stop({ code: status[error?.code ?? status.OK] ?? 'UNKNOWN' });
        if (error) reject(fromServiceError(error, target));
        else resolve(response);
      };
      grpc.makeUnaryRequest(method.path, method.requestSerialize, method.responseDeserialize, request, metadata, { deadline }, done);
    });
  }

  return { client: client as unknown as Client<D>, problem: breaker.problem, close: () => grpc.close() };
}
