import { kafkaEnv, mongoEnv, processEnv, readEnv, setting } from '@fanfare/runtime';

export type Config = ReturnType<typeof loadConfig>;

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...mongoEnv('fanfare_content'),
      ...kafkaEnv,
      GRPC_ADDRESS: setting.address('127.0.0.1:4411'),
      LIBRARY_ADDRESS: setting.address('127.0.0.1:4421'),
    },
    env,
  );
  return {
    logLevel: read.LOG_LEVEL,
    adminAddress: read.ADMIN_ADDRESS,
    grpcAddress: read.GRPC_ADDRESS,
    libraryAddress: read.LIBRARY_ADDRESS,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: {
      brokers: read.KAFKA_BROKERS,
      topicPrefix: read.KAFKA_TOPIC_PREFIX,
      clientId: 'content',
      sessionTimeoutMs: read.KAFKA_SESSION_TIMEOUT_MS,
    },
  };
}
