import { HealthServiceService } from '@fanfare/contracts/health';
import { service } from 'grpc-health-check';

interface HealthCheck {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (message: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => { service: string };
  readonly responseSerialize: (message: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => { status: 'UNKNOWN' | 'SERVING' | 'NOT_SERVING' };
}

export type GrpcHealth = { readonly checkHealth: HealthCheck } & typeof HealthServiceService;

/** The standard health call (grpc.health.v1) and that of background work, as more methods of a client of ours: the same connection, the same breaker. */
export const grpcHealth: GrpcHealth = { checkHealth: service['Check'] as unknown as HealthCheck, ...HealthServiceService };
