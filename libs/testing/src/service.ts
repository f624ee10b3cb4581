import { TestClockServiceService } from '@fanfare/contracts/clock';
import { createRpcClient, type ServiceDefinition } from '@fanfare/rpc';
import { createLogger } from '@fanfare/runtime';

/** A client of a service that the test started, and the metadata of every call. */
export function testClient<D extends ServiceDefinition>(definition: D, port: number) {
  const { client, close } = createRpcClient({
    target: 'service',
    address: `127.0.0.1:${port}`,
    definition,
    log: createLogger('test', 'silent'),
  });
  return { client, close };
}

/** Longer than any machine is busy: a test about deadlines sets its own. */
const TIMEOUT_MS = 60_000;

/** Call options of a caller in an organization and business. */
export function callAs(scope: { organizationId: string; businessId?: string }) {
  return {
    call: {
      metadata: {
        organizationId: scope.organizationId,
        businessId: scope.businessId ?? '',
        actor: 'key:test',
        requestId: 'req_test',
        flowId: 'flow-test',
      },
    },
    timeoutMs: TIMEOUT_MS,
  };
}

const HOUR_MS = 3_600_000;

/** Moves the test clock of organizations in a service that the test started, as the gateway does. */
export function testClockOf(port: number) {
  const { client, close } = testClient(TestClockServiceService, port);
  return {
    /** Moves it so far ahead of real time, past everything on the way. */
    advance: (call: ReturnType<typeof callAs>, hours: number) =>
      client.advanceTestClock({ aheadMs: Math.round(hours * HOUR_MS), allWork: true }, call),
    /** What is left to do. */
    workLeft: (call: ReturnType<typeof callAs>) =>
      client.getTestClockWork({ events: [], settledEventIds: [], despiteOpenWork: true }, call),
    close,
  };
}
