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

export interface GrpcHealth {
  readonly checkHealth: HealthCheck;
}

/** The standard health call (grpc.health.v1), as one more method of a client of ours: the same connection, the same breaker. */
export const grpcHealth: GrpcHealth = { checkHealth: service['Check'] as unknown as HealthCheck };
