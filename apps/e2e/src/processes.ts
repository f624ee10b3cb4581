import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePorts, startService, waitReady, type ServiceProcess } from '@fanfare/infra';
import { at, serviceSpecs, type Ports, type ServiceName } from '@fanfare/stack/service-specs';
import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';

/** The processes of a whole platform, with unique databases and topics. A process is named like its service; copies are numbered. */
export interface Processes {
  readonly ports: Ports;
  /** The settings of each service, for example the addresses of others. */
  readonly settings: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;
  /** The path of a log: `content.log`. */
  readonly logs: string;
  /** SIGKILL: the process cannot clean up. */
  kill(name: string): Promise<void>;
  /**
   * Starts it again, and waits until it is ready.
   * @param settings additional settings for this time
   */
  start(name: ServiceName, settings?: Record<string, string>): Promise<void>;
  /** SIGTERM, as a deployment does. */
  terminate(name: string): Promise<{ code: number | null }>;
  /** Sends any other signal, such as SIGSTOP, after which the process does nothing until SIGCONT. */
  signal(name: string, signal: NodeJS.Signals): Promise<void>;
  /** A further copy of a service, on its own ports. */
  add(service: 'content' | 'publisher' | 'gateway', settings?: Record<string, string>): Promise<{ name: string; httpAddress: string }>;
  /** Stops all of them, or returns them to the pool. */
  stop(): Promise<void>;
}

export interface OwnProcesses extends Processes {
  /**
   * Ends all copies, and starts processes that are not running.
   * @throws Error that names the processes which ended unexpectedly
   */
  restore(): Promise<void>;
}

/** Additional settings, by service. */
export type MoreSettings = Partial<Record<ServiceName, Record<string, string>>>;

/** Eight processes that start at once on a busy machine take long. */
const READY_MS = 300_000;
const STOP_MS = 60_000;
const PORTS: readonly (keyof Ports)[] = [
  'api',
  'gatewayGrpc',
  'gatewayAdmin',
  'contentGrpc',
  'contentAdmin',
  'libraryGrpc',
  'libraryHttp',
  'libraryAdmin',
  'publisherGrpc',
  'publisherAdmin',
  'analyticsGrpc',
  'analyticsAdmin',
  'generationGrpc',
  'generationAdmin',
  'webhooksGrpc',
  'webhooksAdmin',
  'sandbox',
  'sandboxSmtp',
];

export async function startProcesses(more: MoreSettings = {}, infra = testInfrastructure()): Promise<OwnProcesses> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fanfare-e2e-'));
  const free = await freePorts(PORTS.length);
  const ports = Object.fromEntries(PORTS.map((name, index) => [name, free[index]])) as unknown as Ports;
  const secrets = {
    namespace: infra.database,
    keyring: `test:${randomBytes(32).toString('base64')}`,
    mediaUrlSecret: `test:${randomBytes(32).toString('base64')}`,
  };
  const specs = new Map(
    serviceSpecs({ ports, infra, secrets }).map(({ name, env, adminUrl }) => {
      const usual: Record<string, string> = { ...env, NODE_ENV: 'test', KAFKA_SESSION_TIMEOUT_MS: '6000', KAFKA_PARTITIONS: '2' };
      return [name, { env: { ...usual, ...more[name] }, adminUrl }];
    }),
  );
  const running = new Map<string, ServiceProcess>();
  const copies = new Set<string>();
  let crashed: string[] = [];

  const launch = async (name: string, service: ServiceName, adminUrl: string, env: Record<string, string>) => {
    const process = startService({ name: service, entry: `apps/${service}/start.sh`, env, logFile: path.join(dir, `${name}.log`) });
    running.set(name, process);
    // A process that is ended on purpose no longer counts as running.
    void process.exited.then(() => running.get(name) === process && running.delete(name) && crashed.push(name));
    await waitReady(adminUrl, { timeoutMs: READY_MS, process });
  };
  const specOf = (name: ServiceName) => specs.get(name) ?? { env: {}, adminUrl: '' };
  let sandboxes = 0;
  /** A sandbox that is started again has lost its data, and must not give ids that it gave before. */
  const newIds = (name: ServiceName) => (name === 'sandbox' ? { SANDBOX_IDS_AFTER: String(1_000 + sandboxes++ * 1_000_000) } : {});
  const start = (name: ServiceName, settings: Record<string, string> = {}) =>
    launch(name, name, specOf(name).adminUrl, { ...specOf(name).env, ...newIds(name), ...settings });
  const end = async (name: string, signal: NodeJS.Signals) => {
    const process = running.get(name);
    running.delete(name);
    process?.kill(signal);
    return (await process?.exited) ?? { code: null };
  };
  const stop = async () => {
    await Promise.all([...running.values()].map((process) => process.stop(STOP_MS)));
    await dropDatabases(infra.mongoUrl, infra.database);
    await rm(dir, { recursive: true });
  };

  try {
    await Promise.all([...specs.keys()].map((name) => start(name)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ports,
    settings: Object.fromEntries([...specs].map(([name, { env }]) => [name, env])) as Record<ServiceName, Record<string, string>>,
    logs: dir,
    start,
    kill: async (name) => void (await end(name, 'SIGKILL')),
    terminate: (name) => end(name, 'SIGTERM'),
    signal: async (name, signal) => running.get(name)?.kill(signal),
    async add(service, settings = {}) {
      const name = `${service}-${copies.size + 2}`;
      copies.add(name);
      const [GRPC_ADDRESS = '', ADMIN_ADDRESS = '', HTTP_ADDRESS = ''] = (await freePorts(3)).map(at);
      const own = service === 'gateway' ? { HTTP_ADDRESS, ADMIN_GRPC_ADDRESS: GRPC_ADDRESS } : { GRPC_ADDRESS };
      await launch(name, service, `http://${ADMIN_ADDRESS}`, { ...specOf(service).env, ADMIN_ADDRESS, ...own, ...settings });
      return { name, httpAddress: HTTP_ADDRESS };
    },
    async restore() {
      const further = [...running].filter(([name]) => copies.has(name));
      for (const [name] of further) running.delete(name);
      await Promise.all(further.map(([, process]) => process.stop(STOP_MS)));
      await Promise.all([...specs.keys()].filter((name) => !running.has(name)).map((name) => start(name)));
      const names = crashed.join(', ');
      crashed = [];
      if (names !== '') throw new Error(`Ended by themselves: ${names}. Their logs are in ${dir}.`);
    },
    stop,
  };
}

async function dropDatabases(mongoUrl: string, prefix: string): Promise<void> {
  const client = await new MongoClient(mongoUrl).connect();
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(`${prefix}_`)) await client.db(name).dropDatabase();
  await client.close();
}
