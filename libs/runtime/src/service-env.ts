import { setting } from './read-env.ts';

/** Settings that every one of our processes reads. Addresses are host:port; port 0 picks a free one. */
export const processEnv = {
  LOG_LEVEL: setting.logLevel(),
  /** `/livez`, `/readyz`, `/metrics`. */
  ADMIN_ADDRESS: setting.address('127.0.0.1:0'),
};

/** Settings of a process that keeps a database. */
export const mongoEnv = (database: string) => ({
  MONGODB_URL: setting.mongoUrl(),
  MONGODB_DATABASE: setting.name(database),
});

/** Settings of a process that emits or hears events. */
export const kafkaEnv = {
  KAFKA_BROKERS: setting.list(['127.0.0.1:9092']),
  /** Stands before every topic and consumer group. */
  KAFKA_TOPIC_PREFIX: setting.name('fanfare.'),
  /** A consumer that died gives its partitions up after this. Brokers take no less than 6 s. */
  KAFKA_SESSION_TIMEOUT_MS: setting.integer(10_000, 6_000),
};
