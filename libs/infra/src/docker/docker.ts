import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ContainerRuntimeClient, GenericContainer, StartedTestContainer, WaitStrategy } from 'testcontainers';
import { connectEngine, LABEL, removeLeftovers, removeVolume, requireImage } from './docker-engine.ts';
import type { Started, Wanted } from '../infra.ts';
import { checkKafka } from '../servers/check-kafka.ts';
import { jvmFlags, kafkaSettings } from '../servers/kafka-settings.ts';
import { lastErrors } from '../processes/last-lines.ts';
import { mongodArgs } from '../servers/mongod-args.ts';
import { assertPortsFree } from '../ports.ts';
import { becomePrimary } from '../servers/replica-set.ts';
import { reasonOf, until } from '../until.ts';

const READY_LIMIT_MS = 90_000;
/**
 * Where data is stored that is not kept: tests create and drop thousands of collections and topics, and would wait for the disk at each. A folder that no
 * image has, because the engine would give its mode and owner to the mount.
 */
const IN_MEMORY = '/in-memory';
/** Before the engine kills a container whose data is kept. */
const STOP_LIMIT_MS = 20_000;

interface ContainerSpec {
  readonly product: string;
  readonly name: string;
  readonly image: string;
  readonly port: number;
  /** Where it stores data that is kept. */
  readonly dataPath: string;
  configure(container: GenericContainer): void;
  ready(): Promise<void>;
}

/**
 * Runs MongoDB and Kafka as containers, with Testcontainers; data that is kept is in named volumes.
 * @throws CannotServe if no engine responds or an image is unavailable
 */
export async function startContainers(wanted: Wanted): Promise<Started> {
  const specs = specify(wanted);
  const engine = await connectEngine();
  for (const { image } of specs) await requireImage(engine, image, wanted.onProgress);
  await removeLeftovers(engine, wanted.runDir);
  await assertPortsFree(wanted);

  const results = await Promise.allSettled(specs.map((spec) => startContainer(engine, spec, wanted)));
  const running = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    const timeout = wanted.keepData ? STOP_LIMIT_MS : 0;
    await Promise.all(running.map((container) => container.stop({ timeout })));
  };
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await removeLeftovers(engine, wanted.runDir);
    throw failed.reason;
  }
  return { stop };
}

function specify({ mongoPort, kafkaPort, keepData }: Wanted): ContainerSpec[] {
  const specs: ContainerSpec[] = [];
  if (mongoPort) {
    specs.push({
      product: 'MongoDB',
      name: 'mongod',
      image: process.env['FANFARE_MONGO_IMAGE'] || 'mongo:8.0',
      port: mongoPort,
      dataPath: '/data/db',
      configure: (container) =>
        container.withCommand(['mongod', ...mongodArgs(mongoPort), '--bind_ip_all', ...(keepData ? [] : ['--dbpath', IN_MEMORY])]),
      ready: () => becomePrimary(mongoPort),
    });
  }
  if (kafkaPort) {
    const dataPath = '/var/lib/kafka/data';
    const controllerPort = kafkaPort === 29093 ? 29094 : 29093; // Visible only inside the container.
    const settings = kafkaSettings({ port: kafkaPort, controllerPort, listenHost: '0.0.0.0', logDir: keepData ? dataPath : IN_MEMORY });
    // The official image turns KAFKA_A_B into a.b and gives these two to the JVM.
    const environment = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, value]),
    );
    specs.push({
      product: 'Kafka',
      name: 'kafka',
      image: process.env['FANFARE_KAFKA_IMAGE'] || 'apache/kafka:4.1.0',
      port: kafkaPort,
      dataPath,
      configure: (container) =>
        container.withEnvironment({
          ...environment,
          KAFKA_HEAP_OPTS: heapFlags.join(' '),
          KAFKA_JVM_PERFORMANCE_OPTS: otherFlags.join(' '),
        }),
      ready: () => checkKafka(`127.0.0.1:${kafkaPort}`),
    });
  }
  return specs;
}

const heapFlags = jvmFlags.filter((flag) => flag.startsWith('-Xm'));
const otherFlags = jvmFlags.filter((flag) => !flag.startsWith('-Xm'));

async function startContainer(engine: ContainerRuntimeClient, spec: ContainerSpec, wanted: Wanted): Promise<StartedTestContainer> {
  const { LoopbackContainer } = await import('./loopback-container.ts');
  const { keepData, fresh, runDir, onProgress } = wanted;
  const { product, name, image, port } = spec;
  const logFile = path.join(runDir, `${name}.log`);
  const container = new LoopbackContainer(image, engine, logFile)
    .withPullPolicy({ shouldPull: () => false })
    .withExposedPorts({ container: port, host: port })
    .withLabels({ [LABEL]: runDir })
    .withWaitStrategy(readyOrEnded(spec));
  spec.configure(container);
  if (keepData) {
    const volume = volumeOf(runDir, name);
    if (fresh) await removeVolume(engine, volume);
    container.withBindMounts([{ source: volume, target: spec.dataPath }]);
  } else {
    container.withTmpFs({ [IN_MEMORY]: 'rw' });
  }
  try {
    const started = await container.start();
    onProgress(`${product}: running at 127.0.0.1:${port}, container ${started.getId().slice(0, 12)} of ${image}`);
    return started;
  } catch (error) {
    const remedy = keepData ? ' If its data was written by another version or is damaged, start with --fresh, which drops it.' : '';
    throw new Error(`${product} did not start in a container of ${image}: ${reasonOf(error)}.${remedy}\n${await lastErrors(logFile, 6)}`, {
      cause: error,
    });
  }
}

/** Where data that is kept is stored: a volume of the engine, because we could not remove the files of a container's user from our directory. */
export function volumeOf(runDir: string, server: string): string {
  return `fanfare-${createHash('sha256').update(runDir).digest('hex').slice(0, 12)}-${server}`;
}

function readyOrEnded({ product, ready }: ContainerSpec): WaitStrategy {
  const strategy: WaitStrategy = {
    async waitUntilReady(container) {
      const ended = new AbortController();
      const attempt = async () => {
        if (!(await container.inspect()).State.Running) {
          ended.abort();
          throw new Error('it ended');
        }
        await ready();
      };
      await until(`${product} does not respond`, READY_LIMIT_MS, attempt, ended.signal);
    },
    withStartupTimeout: () => strategy,
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => READY_LIMIT_MS,
  };
  return strategy;
}
