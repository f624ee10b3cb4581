import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePorts, startService, waitReady, type ServiceProcess } from '@fanfare/infra';
import {
  connectAccounts,
  createOperator,
  createTenant,
  developmentPlan,
  at,
  serviceSpecs,
  type Operator,
  type Ports,
  type ServiceName,
  type Tenant,
} from '@fanfare/stack';
import { newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { createFanfare, type Fanfare } from '@fanfare/sdk';
import { createApi, type Api } from './api.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** A person who has signed in. */
export interface SignedIn {
  readonly userId: string;
  readonly accessToken: string;
  readonly api: Api;
}

/** A whole platform of a test's own: every process, with databases and topics that nobody else has. */
export interface Platform {
  readonly baseUrl: string;
  readonly api: Api;
  /** The same, by the client that customers use. */
  readonly fanfare: Fanfare;
  readonly tenant: Tenant;
  /** A second organization, which must see nothing of the first. */
  readonly foreign: Tenant & { readonly api: Api };
  /** Platform → id of the connected account. */
  readonly integrations: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  readonly operator: Operator;
  /** Calls the API as a person, signed in. */
  signIn(tenant: Tenant, role: string): Promise<SignedIn>;
  /** SIGKILL: no process gets to tidy up. */
  kill(name: ServiceName): Promise<void>;
  /** Starts it again, and waits until it is ready. */
  start(name: ServiceName): Promise<void>;
  /** SIGTERM, as a deployment does. */
  terminate(name: ServiceName): Promise<{ code: number | null }>;
  /** A further copy of a service, on ports of its own. */
  addReplica(name: 'content' | 'publisher'): Promise<ServiceProcess>;
  /** A further gateway. */
  addGateway(settings?: Record<string, string>): Promise<{ readonly process: ServiceProcess; readonly baseUrl: string; readonly api: Api }>;
  /** What a service was told: where it finds others, say. */
  settingsOf(name: ServiceName): Readonly<Record<string, string>>;
  logOf(name: ServiceName): string;
  stop(): Promise<void>;
}

const READY_MS = 60_000;
const STOP_MS = 15_000;
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
  'sandbox',
  'sandboxSmtp',
];

/** They take a caption with a picture and ask for nothing else, so that most tests need no more. */
const USUAL_PLATFORMS: readonly string[] = ['facebook', 'instagram', 'x'];

/**
 * @param env settings beyond the usual, by service
 * @param platforms the social platforms of which an account is connected
 */
export async function startPlatform(
  env: Partial<Record<ServiceName, Record<string, string>>> = {},
  infra = testInfrastructure(),
  platforms = USUAL_PLATFORMS,
): Promise<Platform> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fanfare-e2e-'));
  const free = await freePorts(PORTS.length);
  const ports = Object.fromEntries(PORTS.map((name, index) => [name, free[index]])) as unknown as Ports;
  const secrets = {
    namespace: infra.database,
    keyring: `test:${randomBytes(32).toString('base64')}`,
    mediaUrlSecret: `test:${randomBytes(32).toString('base64')}`,
  };
  const specs = serviceSpecs({ ports, infra, secrets });
  const running = new Map<ServiceName, ServiceProcess>();
  const replicas: ServiceProcess[] = [];

  const specOf = (name: ServiceName) => specs.find((spec) => spec.name === name) ?? Promise.reject(new Error(name));
  const logFile = (name: string) => path.join(dir, `${name}.log`);
  const launch = (name: ServiceName, settings: Record<string, string>, log = logFile(name)) =>
    startService({
      name,
      entry: `apps/${name}/start.sh`,
      env: { NODE_ENV: 'test', KAFKA_SESSION_TIMEOUT_MS: '6000', ...settings, ...env[name] },
      logFile: log,
    });
  const start = async (name: ServiceName) => {
    const spec = await specOf(name);
    const service = launch(name, spec.env);
    running.set(name, service);
    await waitReady(spec.adminUrl, { timeoutMs: READY_MS, process: service });
  };
  let operator: Operator | undefined;
  const stop = async () => {
    operator?.close();
    await Promise.all([...running.values(), ...replicas].map((service) => service.stop(STOP_MS)));
    await dropDatabases(infra.mongoUrl, infra.database);
    await rm(dir, { recursive: true });
  };

  try {
    await Promise.all(specs.map(({ name }) => start(name)));
    const baseUrl = `http://${at(ports.api)}`;
    const connected = createOperator({
      gateway: at(ports.gatewayGrpc),
      content: at(ports.contentGrpc),
      publisher: at(ports.publisherGrpc),
    });
    operator = connected;
    await connected.gateway.putPlan({ plan: developmentPlan }, connected.as());
    const tenant = await createTenant(connected, { name: 'Test', plan: developmentPlan.id, businessName: 'Test Café' });
    const other = await createTenant(connected, { name: 'Foreign', plan: developmentPlan.id, businessName: 'Foreign Bakery' });
    const scope = { organizationId: tenant.organization_id, businessId: tenant.business_id };
    const integrations = await connectAccounts(connected, {
      platforms,
      ...scope,
      redirectUri: `${baseUrl}/oauth/callback`,
    });

    return {
      baseUrl,
      api: createApi(baseUrl, tenant.api_key),
      fanfare: createFanfare({ baseUrl, apiKey: tenant.api_key }),
      tenant,
      foreign: { ...other, api: createApi(baseUrl, other.api_key) },
      integrations,
      sandbox: createSandbox(`http://${at(ports.sandbox)}`),
      operator: connected,
      async signIn({ organization_id: organizationId }, role) {
        const [email, password] = [`${newId()}@example.com`, newId()];
        const { user } = await connected.gateway.createUser({ organizationId, email, name: role, role, password }, connected.as());
        const { body } = await createApi(baseUrl, '')<{ access_token: string }>('POST', '/api/auth/sign-in', { email, password });
        return { userId: user?.id ?? '', accessToken: body.access_token, api: createApi(baseUrl, body.access_token) };
      },
      start,
      async kill(name) {
        running.get(name)?.kill('SIGKILL');
        await running.get(name)?.exited;
      },
      async terminate(name) {
        running.get(name)?.kill('SIGTERM');
        return (await running.get(name)?.exited) ?? { code: null };
      },
      async addReplica(name) {
        const spec = await specOf(name);
        const [grpc, admin] = await freePorts(2);
        const settings = { ...spec.env, GRPC_ADDRESS: at(grpc ?? 0), ADMIN_ADDRESS: at(admin ?? 0) };
        const replica = launch(name, settings, logFile(`${name}-${replicas.length + 2}`));
        replicas.push(replica);
        await waitReady(`http://${at(admin ?? 0)}`, { timeoutMs: READY_MS, process: replica });
        return replica;
      },
      async addGateway(settings = {}) {
        const spec = await specOf('gateway');
        const addresses = (await freePorts(3)).map(at);
        const [HTTP_ADDRESS = '', ADMIN_GRPC_ADDRESS = '', ADMIN_ADDRESS = ''] = addresses;
        const own = { ...spec.env, HTTP_ADDRESS, ADMIN_GRPC_ADDRESS, ADMIN_ADDRESS, ...settings };
        const process = launch('gateway', own, logFile(`gateway-${replicas.length + 2}`));
        replicas.push(process);
        await waitReady(`http://${ADMIN_ADDRESS}`, { timeoutMs: READY_MS, process });
        return { process, baseUrl: `http://${HTTP_ADDRESS}`, api: createApi(`http://${HTTP_ADDRESS}`, tenant.api_key) };
      },
      settingsOf: (name) => ({ ...specs.find((spec) => spec.name === name)?.env, ...env[name] }),
      logOf: logFile,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function dropDatabases(mongoUrl: string, prefix: string): Promise<void> {
  const client = await new MongoClient(mongoUrl).connect();
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(`${prefix}_`)) await client.db(name).dropDatabase();
  await client.close();
}
