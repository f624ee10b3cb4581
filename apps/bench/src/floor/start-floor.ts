import { freePorts, waitReady } from '@fanfare/infra';
import { at } from '@fanfare/stack/service-specs';
import type { BenchPlatform } from '../platform.ts';
import type { Processes } from '../process-usage.ts';

/** The minimal baseline for the same work: Express, one gRPC call, one command to the same MongoDB. */
export interface Floor {
  readonly baseUrl: string;
  readonly processes: Processes;
}

/** Its two processes stop with the platform's, and its database is dropped with the platform's databases. */
export async function startFloor({ launch, mongoUrl, namespace, processes }: BenchPlatform): Promise<Floor> {
  const [doorPort = 0, servicePort = 0] = await freePorts(2);
  const address = { FLOOR_SERVICE_ADDRESS: at(servicePort) };
  const database = { MONGODB_URL: mongoUrl, MONGODB_DATABASE: `${namespace}_floor` };
  const service = launch('floor-service', 'apps/bench/src/floor/service.ts', { ...address, ...database });
  const door = launch('floor-door', 'apps/bench/src/floor/door.ts', { ...address, FLOOR_DOOR_PORT: String(doorPort) });
  const baseUrl = `http://${at(doorPort)}`;
  await waitReady(baseUrl, { timeoutMs: 20_000, process: door });
  const mongod = processes['mongod'];
  return { baseUrl, processes: { door: door.pid, service: service.pid, ...(mongod !== undefined && { mongod }) } };
}
