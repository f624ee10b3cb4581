import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { AnalyticsServiceService } from '@fanfare/contracts/analytics';
import { LibraryServiceService } from '@fanfare/contracts/library';
import { freePorts, startInfra, startService, waitReady, type ServiceProcess } from '@fanfare/infra';
import { createRpcClient, type Client } from '@fanfare/rpc';
import { createLogger } from '@fanfare/runtime';
import { connectAccounts, createOperator, createTenant, developmentPlan, type Operator } from '@fanfare/stack';
import { at, serviceSpecs, type Ports } from '@fanfare/stack/service-specs';
import { MongoClient } from 'mongodb';
import { listenerPid } from './listener-pid.ts';
import type { Processes } from './process-usage.ts';

/** A whole platform for the bench alone: new data, and no other load. */
export interface BenchPlatform {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly businessId: string;
  /** Platform → id of the connected account. */
  readonly integrations: Readonly<Record<string, string>>;
  readonly sandboxUrl: string;
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** Where the bench may serve a file that the library may fetch, and receive webhooks. */
  readonly filesPort: number;
  readonly filesUrl: string;
  /** Prefix of each database; all of them are dropped at the end. */
  readonly namespace: string;
  /** The admin port of content. */
  readonly contentAdminUrl: string;
  /** The admin ports of all services, by process. */
  readonly adminUrls: Readonly<Record<string, string>>;
  readonly operator: Operator;
  readonly analytics: Client<typeof AnalyticsServiceService>;
  /** For data that would take several times as long through the gateway. */
  readonly library: Client<typeof LibraryServiceService>;
  /** Our processes, and MongoDB and Kafka if they can be found. */
  readonly processes: Processes;
  /** Starts a second publisher; it ends with the others. `kill` is SIGKILL. */
  addPublisher(): Promise<{ readonly adminUrl: string; kill(): void }>;
  /** Starts one more process with the same Node settings; it ends with the others. */
  launch(name: string, entry: string, env: Record<string, string>): ServiceProcess;
  stop(): Promise<void>;
}

/** High limits for a bench of any length: taking permits is measured, not running out of them. */
const plan = { ...developmentPlan, id: 'bench', requestsPerMinute: 2e9, requestsPerDay: 2e9, requestsPerWeek: 2e9 };
const READY_MS = 60_000;
const STOP_MS = 15_000;
/** Every one of them, or this does not compile. */
const PORTS = Object.keys({
  ...{ api: 0, gatewayGrpc: 0, gatewayAdmin: 0, contentGrpc: 0, contentAdmin: 0, libraryGrpc: 0, libraryHttp: 0, libraryAdmin: 0 },
  ...{
    publisherGrpc: 0,
    publisherAdmin: 0,
    analyticsGrpc: 0,
    analyticsAdmin: 0,
    generationGrpc: 0,
    generationAdmin: 0,
    webhooksGrpc: 0,
    webhooksAdmin: 0,
    sandbox: 0,
    sandboxSmtp: 0,
  },
} satisfies Record<keyof Ports, 0>);

/**
 * @param profileDir where every process of ours writes a CPU profile when it ends
 * @throws Error if it cannot be started
 */
export async function startPlatform(say: (line: string) => void, profileDir: string | undefined): Promise<BenchPlatform> {
  const dataDir = path.resolve(import.meta.dirname, '../../../.fanfare/bench');
  const infra = await startInfra({ dataDir, keepData: false, onProgress: say });
  const services: ServiceProcess[] = [];
  const namespace = `bench_${randomBytes(4).toString('hex')}`;
  const stop = async () => {
    for (const service of services.toReversed()) await service.stop(STOP_MS);
    await dropDatabases(infra.mongoUrl, namespace);
    await infra.stop();
  };

  const launch = (name: string, entry: string, env: Record<string, string>): ServiceProcess => {
    const profile = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, `--cpu-prof-name=${name}.cpuprofile`];
    const logFile = path.join(dataDir, 'logs', `${name}.log`);
    const own = entry.endsWith('.sh')
      ? { nodeArgs: profile, env }
      : { nodeArgs: [...floor.nodeArgs, ...profile], env: { ...floor.env, ...env } };
    const service = startService({ name, entry, logFile, ...own });
    services.push(service);
    return service;
  };

  try {
    const [filesPort = 0, ...free] = await freePorts(PORTS.length + 1);
    const filesUrl = `http://${at(filesPort)}`;
    const ports = Object.fromEntries(PORTS.map((name, index) => [name, free[index]])) as unknown as Ports;
    const key = () => `bench:${randomBytes(32).toString('base64')}`;
    const specs = serviceSpecs({ ports, infra, secrets: { namespace, keyring: key(), mediaUrlSecret: key() } });
    const started = specs.map(({ name, env, adminUrl }) => {
      const own = name === 'library' || name === 'webhooks' ? { FETCH_ALLOWED_ORIGINS: filesUrl } : {};
      return { adminUrl, process: launch(name, `apps/${name}/start.sh`, { ...env, ...own }) };
    });
    await Promise.all(started.map(({ adminUrl, process }) => waitReady(adminUrl, { timeoutMs: READY_MS, process })));

    const baseUrl = `http://${at(ports.api)}`;
    const operator = createOperator({
      gateway: at(ports.gatewayGrpc),
      content: at(ports.contentGrpc),
      publisher: at(ports.publisherGrpc),
      webhooks: at(ports.webhooksGrpc),
    });
    const library = createRpcClient({
      ...{ target: 'library', address: at(ports.libraryGrpc), definition: LibraryServiceService },
      log: createLogger('bench', 'silent'),
    });
    const analytics = createRpcClient({
      ...{ target: 'analytics', address: at(ports.analyticsGrpc), definition: AnalyticsServiceService },
      log: createLogger('bench', 'silent'),
    });
    await operator.gateway.putPlan({ plan }, operator.as());
    const tenant = await createTenant(operator, { name: 'Bench', plan: plan.id, businessName: 'Bench Café' });
    const integrations = await connectAccounts(operator, {
      // Adding a platform must not change what is measured.
      platforms: ['facebook', 'instagram', 'x'],
      organizationId: tenant.organization_id,
      businessId: tenant.business_id,
      redirectUri: `${baseUrl}/oauth/callback`,
    });
    return {
      baseUrl,
      apiKey: tenant.api_key,
      organizationId: tenant.organization_id,
      businessId: tenant.business_id,
      integrations,
      sandboxUrl: `http://${at(ports.sandbox)}`,
      mongoUrl: infra.mongoUrl,
      kafkaBrokers: infra.kafkaBrokers,
      filesPort,
      filesUrl,
      namespace,
      contentAdminUrl: `http://${at(ports.contentAdmin)}`,
      adminUrls: Object.fromEntries(specs.map(({ name, adminUrl }) => [name, adminUrl])),
      operator,
      analytics: analytics.client,
      library: library.client,
      processes: {
        ...Object.fromEntries(services.map(({ name, pid }) => [name, pid])),
        ...(await servers({ mongod: infra.mongoUrl, kafka: `kafka://${infra.kafkaBrokers[0]}` })),
      },
      launch,
      async addPublisher() {
        const [grpcPort = 0, adminPort = 0] = await freePorts(2);
        const env = specs.find(({ name }) => name === 'publisher')?.env;
        const own = { GRPC_ADDRESS: at(grpcPort), ADMIN_ADDRESS: at(adminPort) };
        const started = launch('publisher-2', 'apps/publisher/start.sh', { ...env, ...own });
        const adminUrl = `http://${at(adminPort)}`;
        await waitReady(adminUrl, { timeoutMs: READY_MS, process: started });
        return { adminUrl, kill: () => void process.kill(started.pid, 'SIGKILL') };
      },
      async stop() {
        operator.close();
        analytics.close();
        library.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The settings of apps/gateway/start.sh and apps/content/start.sh, for a fair baseline. */
const floor = { nodeArgs: ['--max-semi-space-size=16', '--single-threaded-gc'], env: { MALLOC_ARENA_MAX: '2' } };

async function servers(urls: Record<string, string>): Promise<Processes> {
  const found = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => [name, await listenerPid(Number(/:(\d+)/.exec(url)?.[1]))] as const),
  );
  return Object.fromEntries(found.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

async function dropDatabases(mongoUrl: string, prefix: string): Promise<void> {
  const client = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: 5_000 });
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const ours = databases.filter(({ name }) => name.startsWith(`${prefix}_`));
    await Promise.all(ours.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}
