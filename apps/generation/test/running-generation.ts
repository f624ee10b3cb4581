import { topics } from '@fanfare/contracts';
import { CreateJobRequest, type Job } from '@fanfare/contracts/generation';
import { CreateDesignRequest } from '@fanfare/contracts/generation/designs';
import { createLogger, newId } from '@fanfare/runtime';
import { callAs, eventually, startEventPeer, testClient, testClockOf, testInfrastructure } from '@fanfare/testing';
import { loadConfig, type Config } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { served } from '../src/rpc/rpc.ts';
import { startServer } from '../src/server.ts';
import { startFakeContent } from './fake-content.ts';
import { startFakeLibrary } from './fake-library.ts';

export type TestGeneration = Awaited<ReturnType<typeof startGeneration>>;
export type Call = ReturnType<typeof callAs>;

/** The real service with a fake content service, a fake library and a Kafka peer. */
export async function startGeneration({ env = {}, change = (config: Config): Config => config, instances = 1 } = {}) {
  const infra = testInfrastructure({ service: 'generation', processes: instances });
  const [content, library, peer] = await Promise.all([
    startFakeContent(),
    startFakeLibrary(),
    startEventPeer(infra, 'listener', [topics.jobCompleted, topics.jobFailed, topics.designChanged]),
  ]);
  const settings = {
    NODE_ENV: 'test',
    MONGODB_URL: infra.mongoUrl,
    MONGODB_DATABASE: infra.database,
    KAFKA_BROKERS: infra.kafkaBrokers.join(','),
    KAFKA_TOPIC_PREFIX: infra.topicPrefix,
    KAFKA_PARTITIONS: String(infra.partitions),
    GRPC_ADDRESS: '127.0.0.1:0',
    ADMIN_ADDRESS: '127.0.0.1:0',
    CONTENT_ADDRESS: content.address,
    LIBRARY_ADDRESS: library.address,
    LIBRARY_HTTP_URL: library.baseUrl,
    PATH: process.env['PATH'] ?? '',
    ...env,
  };
  const quick = (config: Config): Config =>
    change({
      ...config,
      jobs: { ...config.jobs, leaseMs: 2_000, retryMs: 50, maxDelayMs: 200, pollMs: 50 },
      uploads: { keptMs: 600_000, retiredMs: 10, retryMs: 50 },
    });
  const log = createLogger('generation', 'silent');
  const running: { context: Context; server: Awaited<ReturnType<typeof startServer>> }[] = [];
  for (let index = 0; index < instances; index++) {
    const context = await createContext(quick(loadConfig(settings)), log);
    running.push({ context, server: await startServer(context) });
  }
  const [first] = running;
  if (!first) throw new Error('At least one instance.');
  await eventually(() => running.every(({ context }) => Object.keys(context.health.problems()).length === 0));
  const { client, close } = testClient(served, first.server.grpcPort);

  const clock = testClockOf(first.server.grpcPort);
  const job = async (call: Call, jobId: string): Promise<Job> =>
    (await client.getJob({ jobId }, call)).job ?? Promise.reject(new Error('No job.'));

  return {
    client,
    clock,
    content,
    library,
    peer,
    context: first.context,
    db: first.context.db,
    running,
    /** Creates a business in a new organization. */
    aBusiness(more: Partial<Parameters<typeof content.add>[0]> = {}): Call {
      const scope = { organizationId: newId(), businessId: newId() };
      content.add({ id: scope.businessId, organizationId: scope.organizationId, ...more });
      return callAs(scope);
    },
    async createJob(call: Call, more: Parameters<typeof CreateJobRequest.fromPartial>[0] = {}): Promise<Job> {
      const { job: made } = await client.createJob(aJob(more), call);
      return made ?? Promise.reject(new Error('No job.'));
    },
    job,
    ended: (call: Call, jobId: string): Promise<Job> =>
      // A video takes long where many tests share the machine.
      eventually(async () => {
        const now = await job(call, jobId);
        return now.status !== 'JOB_STATUS_PENDING' && now;
      }, 300_000),
    async stop() {
      close();
      clock.close();
      await Promise.all(running.map(({ server }) => server.stop()));
      await Promise.all([peer.stop(), content.stop(), library.stop()]);
      infra.leaveDatabase();
    },
  };
}

export const aJob = (more: Parameters<typeof CreateJobRequest.fromPartial>[0] = {}) =>
  CreateJobRequest.fromPartial({ jobId: newId(), content: TEXT, count: 1, ...more });

export const aDesign = (more: Parameters<typeof CreateDesignRequest.fromPartial>[0] = {}) =>
  CreateDesignRequest.fromPartial({
    designId: newId(),
    templateId: 'quote-card',
    pages: [{ texts: { quote: 'Bread is patience.' } }],
    ...more,
  });

export const TEXT = [
  'Our sourdough is made with just flour, water and salt, and it rests for a whole day before it goes into the oven.',
  'We open at seven every morning except Monday.',
  'The flour comes from a mill in Alentejo, forty kilometres from our door.',
  'On Saturdays you can watch the bakers at work, and children may shape their own rolls.',
].join(' ');
