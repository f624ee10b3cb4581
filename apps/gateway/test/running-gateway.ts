import { AdminServiceService } from '@fanfare/contracts/gateway';
import { createRpcClient, systemCall, type Client } from '@fanfare/rpc';
import { createLogger, newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import { loadConfig } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { startServer, type GatewayServer } from '../src/server.ts';
import { startFakeServices, type FakeServices } from './fakes/fake-services.ts';
import { aBusiness } from './values.ts';

/** A gateway on free ports with its own database, two organizations, and fake services. */
export interface RunningGateway {
  readonly url: string;
  readonly server: GatewayServer;
  readonly context: Context;
  readonly services: FakeServices;
  readonly admin: Client<typeof AdminServiceService>;
  readonly organizationId: string;
  readonly businessId: string;
  readonly foreignBusinessId: string;
  readonly apiKey: string;
  newKey(plan?: string): Promise<string>;
  /** Calls the API with the key; `init` replaces the defaults. */
  call(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

/** The migrations that insert documents: the plans that exist from the start. */
const SEEDS = ['0002-default-plan', '0011-anonymous-plan'];

export const BASE_URL = 'https://api.example.com';
export const admin = { call: { metadata: systemCall('test') }, timeoutMs: 60_000 };

export async function startGateway(env: Record<string, string> = {}): Promise<RunningGateway> {
  const infra = testInfrastructure(env['MONGODB_DATABASE'] === undefined ? { service: 'gateway', seeds: SEEDS } : {});
  const services = await startFakeServices();
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    BASE_URL,
    HTTP_ADDRESS: '127.0.0.1:0',
    ADMIN_GRPC_ADDRESS: '127.0.0.1:0',
    MONGODB_URL: infra.mongoUrl,
    MONGODB_DATABASE: infra.database,
    CONTENT_ADDRESS: services.contentAddress,
    LIBRARY_ADDRESS: services.libraryAddress,
    PUBLISHER_ADDRESS: services.publisherAddress,
    ANALYTICS_ADDRESS: services.analyticsAddress,
    GENERATION_ADDRESS: services.generationAddress,
    WEBHOOKS_ADDRESS: services.webhooksAddress,
    LIBRARY_HTTP_URL: services.libraryHttpUrl,
    // Nothing listens there: no request depends on Kafka.
    KAFKA_BROKERS: '127.0.0.1:1',
    KEYRING: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    ...env,
  });
  const log = createLogger('gateway', config.logLevel);
  const context = await createContext(config, log);
  const server = await startServer(context);
  const url = `http://127.0.0.1:${server.httpPort}`;
  const operator = createRpcClient({
    target: 'gateway',
    address: `127.0.0.1:${server.adminGrpcPort}`,
    definition: AdminServiceService,
    log,
  });

  await operator.client.putPlan({ plan: { ...ROOMY, id: 'anonymous' } }, admin);
  await operator.client.putPlan({ plan: ROOMY }, admin);
  const newOrganization = async (plan = ROOMY.id) => {
    const { organization } = await operator.client.createOrganization({ name: 'Bakers', plan, mode: 'ORGANIZATION_MODE_TEST' }, admin);
    const organizationId = organization?.id ?? '';
    const { apiKey } = await operator.client.createApiKey({ organizationId, name: 'test' }, admin);
    const businessId = newId();
    services.businesses.set(businessId, aBusiness({ id: businessId, organizationId }));
    return { organizationId, apiKey, businessId };
  };
  const own = await newOrganization();
  const foreign = await newOrganization();

  const call: RunningGateway['call'] = (path, { key = own.apiKey, headers, ...init } = {}) =>
    fetch(url + path, { ...init, headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...(headers as object) } });
  return {
    ...own,
    url,
    server,
    context,
    services,
    admin: operator.client,
    foreignBusinessId: foreign.businessId,
    newKey: async (plan) => (await newOrganization(plan)).apiKey,
    call,
    post: (path, body, headers) =>
      call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
    async stop() {
      operator.close();
      await server.stop();
      await services.stop();
      infra.leaveDatabase();
    },
  };
}

/** A plan whose limits no test reaches by accident. */
const ROOMY = {
  id: 'roomy',
  apiAccess: true,
  requestsPerMinute: 1e6,
  requestsPerDay: 1e6,
  requestsPerWeek: 1e6,
  userRequestsPerMinute: 1e6,
  userRequestsPerDay: 1e6,
  userRequestsPerWeek: 1e6,
  generatedPostsPerMonth: 200,
};

/** What all errors have, in addition to their status, code and param. */
export async function expectProblem(
  response: Response,
  expected: { status: number; code: string; param?: string },
): Promise<Record<string, unknown>> {
  const problem = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, code: problem['code'], param: problem['param'] }).toEqual({ param: undefined, ...expected });
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(problem).toMatchObject({
    type: `${BASE_URL}/errors/${expected.code}`,
    status: expected.status,
    title: expect.any(String),
    detail: expect.any(String),
    instance: new URL(response.url).pathname,
    request_id: response.headers.get('x-request-id'),
  });
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(response.headers.get('x-flow-id')).toBeTruthy();
  expect(response.headers.get('service-version')).toBe('2026-04-08');
  return problem;
}
