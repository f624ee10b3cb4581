import path from 'node:path';
import { newId } from '@fanfare/runtime';
import { createFanfare, type Fanfare } from '@fanfare/sdk';
import { connectAccounts, createOperator, createTenant, developmentPlan, type Operator, type Tenant } from '@fanfare/stack';
import { at, type ServiceName } from '@fanfare/stack/service-specs';
import { showLogsOfFailures, type TestInfrastructure } from '@fanfare/testing';
import { createApi, type Api } from './api.ts';
import { borrowProcesses } from './pool.ts';
import { startProcesses, type MoreSettings, type Processes } from './processes.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** A person who has signed in. */
export interface SignedIn {
  readonly userId: string;
  readonly accessToken: string;
  readonly api: Api;
}

/** A whole platform for one test, with two organizations of its own. */
export interface Platform extends Pick<Processes, 'kill' | 'start' | 'terminate' | 'signal'> {
  readonly baseUrl: string;
  readonly api: Api;
  /** The same, with the client that customers use. */
  readonly fanfare: Fanfare;
  readonly tenant: Tenant;
  /** A second organization, which must see nothing of the first. */
  readonly foreign: Tenant & { readonly api: Api };
  /** Platform → id of the connected account. */
  readonly integrations: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  readonly operator: Operator;
  /** Calls the API as a signed-in person. */
  signIn(tenant: Tenant, role: string): Promise<SignedIn>;
  /** A further copy of a service. @returns the name of its process */
  addReplica(name: 'content' | 'publisher', settings?: Record<string, string>): Promise<string>;
  /** A further gateway. */
  addGateway(settings?: Record<string, string>): Promise<{ readonly name: string; readonly baseUrl: string; readonly api: Api }>;
  /** The settings of a service, for example the addresses of others. */
  settingsOf(name: ServiceName): Readonly<Record<string, string>>;
  logOf(name: ServiceName): string;
  /** Stops it, or returns it to the pool. */
  stop(): Promise<void>;
}

/** They accept a caption with an image and require nothing else, so that most tests need no other platforms. */
const USUAL_PLATFORMS: readonly string[] = ['facebook', 'instagram', 'x'];

/**
 * A platform with the usual settings that other test files have used before and will use again: faster than a new one. Changes that a test makes to
 * its processes are undone when it is returned.
 * @param platforms the social platforms of which an account is connected
 */
export async function borrowPlatform(platforms?: readonly string[]): Promise<Platform> {
  return onProcesses(await borrowProcesses(), platforms);
}

/** A new platform for one test, with its own settings. */
export async function startPlatform(more?: MoreSettings, infra?: TestInfrastructure): Promise<Platform> {
  return onProcesses(await startProcesses(more, infra));
}

async function onProcesses(processes: Processes, platforms = USUAL_PLATFORMS): Promise<Platform> {
  const { ports, settings, logs, kill, start, terminate, signal } = processes;
  showLogsOfFailures(logs);
  const baseUrl = `http://${at(ports.api)}`;
  const sandbox = createSandbox(`http://${at(ports.sandbox)}`);
  const operator = createOperator({
    gateway: at(ports.gatewayGrpc),
    content: at(ports.contentGrpc),
    publisher: at(ports.publisherGrpc),
    webhooks: at(ports.webhooksGrpc),
  });
  const stop = async () => {
    operator.close();
    await processes.stop();
  };
  const { tenant, other, integrations } = await prepare({ sandbox, operator, baseUrl, platforms }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });

  return {
    baseUrl,
    api: createApi(baseUrl, tenant.api_key),
    fanfare: createFanfare({ baseUrl, apiKey: tenant.api_key }),
    tenant,
    foreign: { ...other, api: createApi(baseUrl, other.api_key) },
    integrations,
    sandbox,
    operator,
    async signIn({ organization_id: organizationId }, role) {
      const [email, password] = [`${newId()}@example.com`, newId()];
      const { user } = await operator.gateway.createUser({ organizationId, email, name: role, role, password }, operator.as());
      const { body } = await createApi(baseUrl, '')<{ access_token: string }>('POST', '/api/auth/sign-in', { email, password });
      return { userId: user?.id ?? '', accessToken: body.access_token, api: createApi(baseUrl, body.access_token) };
    },
    kill,
    start,
    terminate,
    signal,
    addReplica: async (name, more) => (await processes.add(name, more)).name,
    async addGateway(more) {
      const { name, httpAddress } = await processes.add('gateway', more);
      return { name, baseUrl: `http://${httpAddress}`, api: createApi(`http://${httpAddress}`, tenant.api_key) };
    },
    settingsOf: (name) => settings[name],
    logOf: (name) => path.join(logs, `${name}.log`),
    stop,
  };
}

/** The initial state: an empty sandbox, two organizations, and accounts of the first. */
async function prepare(on: { sandbox: Sandbox; operator: Operator; baseUrl: string; platforms: readonly string[] }) {
  const { sandbox, operator, baseUrl, platforms } = on;
  await sandbox.reset();
  await operator.gateway.putPlan({ plan: developmentPlan }, operator.as());
  const tenant = await createTenant(operator, { name: 'Test', plan: developmentPlan.id, businessName: 'Test Café' });
  const other = await createTenant(operator, { name: 'Foreign', plan: developmentPlan.id, businessName: 'Foreign Bakery' });
  const scope = { organizationId: tenant.organization_id, businessId: tenant.business_id };
  const integrations = await connectAccounts(operator, { platforms, ...scope, redirectUri: `${baseUrl}/oauth/callback` });
  return { tenant, other, integrations };
}
