import {
  Server,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServiceDefinition as GrpcServiceDefinition,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import type { ReflectionService } from '@grpc/reflection';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { readDescriptorSet } from '@fanfare/contracts/descriptors';
import { HealthServiceService } from '@fanfare/contracts/health';
import { DomainError } from '@fanfare/errors';
import { histogram, type Health, type Logger, type PeerTls } from '@fanfare/runtime';
import { HealthImplementation } from 'grpc-health-check';
import { fromMetadata, type CallMetadata } from './call-metadata.ts';
import { mayCall, serverCredentials } from './credentials.ts';
import type { Handlers, ServiceDefinition } from './service-types.ts';
import { toStatus } from './status.ts';

/** The context of a call, for its handler. */
export interface Call {
  readonly metadata: CallMetadata;
  /** When the caller stops waiting. Calls that the handler makes inherit it. */
  readonly deadline: Date;
  /** Adds the ids of the call to each line. */
  readonly log: Logger;
}

export interface RpcServer {
  readonly port: number;
  /** Accepts no new calls, waits up to ten seconds for running ones, then closes. */
  stop(): Promise<void>;
}

/** The deadline of calls that have none. */
const DEFAULT_DEADLINE_MS = 30_000;
const MAX_MESSAGE_BYTES = 16 << 20;
const HEALTH_PERIOD_MS = 1_000;
/** When a connection ends, its client looks up the addresses of all replicas again. So a new replica gets its share of the calls within about a minute. */
const MAX_CONNECTION_AGE_MS = 60_000;

/** Serves one gRPC service, with the health of the process: whether it should get calls (`grpc.health.v1`), and its background work (`fanfare.health.v1`). */
export async function startRpcServer<D extends ServiceDefinition>(options: {
  address: string;
  definition: D;
  handlers: Handlers<D>;
  health: Health;
  log: Logger;
  /** Who may call. Without it, anyone who can connect: only for loopback. */
  tls?: PeerTls | undefined;
  /** Methods with callers of their own, by the names in their certificates. They replace the allowed callers of the process. */
  callers?: Readonly<Partial<Record<keyof D, readonly string[]>>>;
  /** Enables server reflection, for grpcurl and similar tools. */
  reflection?: boolean;
  /** After this time a connection takes no further calls. Tests shorten it. */
  maxConnectionAgeMs?: number;
}): Promise<RpcServer> {
  const { definition, handlers, health, log, tls, callers, reflection: isReflectionEnabled = false } = options;
  const { maxConnectionAgeMs = MAX_CONNECTION_AGE_MS } = options;
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': 30_000,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 5_000,
  });

  const implementation: Record<string, UntypedHandleCall> = {};
  for (const [name, method] of Object.entries(definition)) {
    implementation[name] = unary(method.path, handlers[name as keyof D] as (request: unknown, call: Call) => Promise<unknown>, {
      log,
      tls,
      callers: callers?.[name as keyof D],
    }) as UntypedHandleCall;
  }
  server.addService(definition as unknown as GrpcServiceDefinition, implementation);
  const getWorkHealth = async () => ({ problems: Object.keys(health.workProblems()).map((part) => ({ part })) });
  const workHealth = unary(HealthServiceService.getWorkHealth.path, getWorkHealth, { log, tls, callers: undefined });
  server.addService(HealthServiceService, { getWorkHealth: workHealth as UntypedHandleCall });

  const servingStatus = () => (Object.keys(health.callProblems()).length === 0 ? 'SERVING' : 'NOT_SERVING');
  const grpcHealth = new HealthImplementation({ '': servingStatus() });
  grpcHealth.addToServer(server);
  if (isReflectionEnabled) await reflect(server);

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.address, serverCredentials(tls), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const healthTimer = setInterval(() => grpcHealth.setStatus('', servingStatus()), HEALTH_PERIOD_MS);
  return {
    port,
    async stop() {
      clearInterval(healthTimer);
      grpcHealth.setStatus('', 'NOT_SERVING');
      const force = setTimeout(() => server.forceShutdown(), 10_000);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(force);
    },
  };
}

function unary(
  path: string,
  handle: (request: unknown, call: Call) => Promise<unknown>,
  { log, tls, callers }: { log: Logger; tls: PeerTls | undefined; callers: readonly string[] | undefined },
) {
  const seconds = histogram('fanfare_rpc_server_seconds', 'RPC calls handled, by method and code.', ['method', 'code']);
  return async (grpcCall: ServerUnaryCall<unknown, unknown>, respond: sendUnaryData<unknown>): Promise<void> => {
    const stop = seconds.startTimer({ method: path });
    if (!mayCall(tls, grpcCall, callers)) {
      stop({ code: 'PERMISSION_DENIED' });
      const allowed = callers ? `only ${callers.join(' and ')} may call this method` : 'its certificate has no name listed in TLS_PEERS';
      log.warn({ method: path, peer: grpcCall.getPeer() }, `rejected a call: ${allowed}`);
      return respond({ code: status.PERMISSION_DENIED, details: 'This process is not allowed to call this service.' });
    }
    const metadata = fromMetadata(grpcCall.metadata);
    const given = grpcCall.getDeadline();
    const deadline = given === Infinity ? new Date(Date.now() + DEFAULT_DEADLINE_MS) : new Date(given);
    let child: Logger | undefined;
    const call: Call = {
      metadata,
      deadline,
      // Created on demand, because most calls log nothing.
      get log() {
        return (child ??= log.child({
          request_id: metadata.requestId,
          flow_id: metadata.flowId,
          organization_id: metadata.organizationId,
          method: path,
        }));
      },
    };
    try {
      const response = await handle(grpcCall.request, call);
      stop({ code: 'OK' });
      respond(null, response);
    } catch (error) {
      const domainError = error instanceof DomainError ? error : undefined;
      if (!domainError || domainError.code === 'internal_error') call.log.error({ err: error }, 'call failed');
      const outcome = toStatus(domainError ?? new DomainError('internal_error', 'Something went wrong on our side.'));
      stop({ code: status[outcome.code] ?? 'UNKNOWN' });
      respond(outcome);
    }
  };
}

/** Shared by all servers of a process. */
let reflection: ReflectionService | undefined;

async function reflect(server: Server) {
  // Only development has it, and loading it takes a tenth of the start of a process.
  const { ReflectionService } = await import('@grpc/reflection');
  // ReflectionService reads only `fileDescriptorProtos` of a proto-loader package. buf's descriptor set has them, so no proto-loader is needed.
  reflection ??= new ReflectionService({ all: { fileDescriptorProtos: filesIn(readDescriptorSet()) } } as never);
  reflection.addToServer(server);
}

/** The encoded files of a FileDescriptorSet (`repeated FileDescriptorProto file = 1`). */
function filesIn(descriptorSet: Uint8Array): Buffer[] {
  const reader = new BinaryReader(descriptorSet);
  const files: Buffer[] = [];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) files.push(Buffer.from(reader.bytes()));
    else reader.skip(wireType);
  }
  return files;
}
