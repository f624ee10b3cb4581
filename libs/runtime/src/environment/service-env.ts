import { z } from 'zod';
import { hostOf, isLoopback, parseAddress } from '../address.ts';
import { peerTlsEnv } from './peer-tls.ts';
import { inProduction } from './production.ts';
import { setting, type Mode } from './read-env.ts';

/** Settings that all our processes read. Addresses are host:port; port 0 selects a free one. */
export const processEnv = {
  LOG_LEVEL: setting.logLevel(),
  /** `/livez`, `/readyz`, `/metrics`. */
  ADMIN_ADDRESS: setting.address('127.0.0.1:0'),
  /** Lets production connect to MongoDB, Kafka, S3 stores and models on other machines without TLS, where the network itself encrypts. */
  UNENCRYPTED_NETWORK: z.enum(['true', 'false']).default('false'),
};

/** Settings of a process with a database. */
export const mongoEnv = (database: string) => ({
  MONGODB_URL: setting.mongoUrl(),
  MONGODB_DATABASE: setting.name(database),
});

/** Settings of a process that our others call by gRPC. */
export const rpcEnv = (callers: readonly string[]) => ({
  ...peerTlsEnv(callers),
  /** Whether the server describes its methods to permitted callers, which grpcurl needs. */
  GRPC_REFLECTION: inProduction(z.enum(['true', 'false']).default('false'), (value) =>
    value === 'true' ? 'is only for development and tests' : undefined,
  ),
});

/** Settings of a process that emits or consumes events. */
export const kafkaEnv = {
  KAFKA_BROKERS: setting.list(['127.0.0.1:9092']),
  /** Prefix of every topic and consumer group. */
  KAFKA_TOPIC_PREFIX: setting.name('fanfare.'),
  /** Partitions of topics that are created: no more replicas of a service than this share its events. Existing topics keep theirs. */
  KAFKA_PARTITIONS: setting.integer(6, 1),
  /** After this time a dead consumer loses its partitions. Brokers accept no less than 6 s. */
  KAFKA_SESSION_TIMEOUT_MS: setting.integer(10_000, 6_000),
  /** From this age on work is late, which health reports: due posts and deliveries, and events that are not sent or not handled. */
  LATE_AFTER_MS: setting.integer(30_000, 100),
  KAFKA_TLS: z.enum(['true', 'false']).default('false'),
  /** PEM: the brokers' CA if it is not a public one, and our certificate if they require one. */
  KAFKA_TLS_CA_FILE: z.string().optional(),
  KAFKA_TLS_CERT_FILE: z.string().optional(),
  KAFKA_TLS_KEY_FILE: z.string().optional(),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
};

export type ProcessEnv = z.output<z.ZodObject<typeof processEnv>>;
export type MongoEnv = z.output<z.ZodObject<ReturnType<typeof mongoEnv>>>;
type KafkaEnv = z.output<z.ZodObject<typeof kafkaEnv>>;

export const WITHOUT_TLS = 'is on another machine and has no TLS (UNENCRYPTED_NETWORK=true permits it, where the network itself encrypts)';

/** In production, services that get a key of ours or customers' content are called with TLS. @param urls settings, by name; unset ones are fine */
export function clearTextProblems(
  urls: Readonly<Record<string, string | undefined>>,
  { UNENCRYPTED_NETWORK }: ProcessEnv,
  { isProduction }: Mode,
): string[] {
  if (!isProduction || UNENCRYPTED_NETWORK === 'true') return [];
  const isClear = (url: string) => url.startsWith('http:') && !isLoopback(hostOf(url));
  return Object.entries(urls).flatMap(([name, url]) => (url !== undefined && isClear(url) ? [`${name}: ${WITHOUT_TLS}`] : []));
}

/** What is wrong with the combination of Kafka's settings. A password without TLS is allowed on one machine only. */
export function kafkaProblems(read: KafkaEnv & ProcessEnv, { isProduction }: Mode): string[] {
  const isSecure = read.KAFKA_TLS === 'true';
  const together = (all: readonly unknown[]) => all.every((one) => one === undefined) || all.every((one) => one !== undefined);
  const files = [read.KAFKA_TLS_CA_FILE, read.KAFKA_TLS_CERT_FILE, read.KAFKA_TLS_KEY_FILE];
  const isLocal = read.KAFKA_BROKERS.every((broker) => isLoopback(parseAddress(broker).host));
  return [
    ...(isSecure || files.every((file) => file === undefined) ? [] : ['KAFKA_TLS: is required by the KAFKA_TLS_… files']),
    ...(together([read.KAFKA_TLS_CERT_FILE, read.KAFKA_TLS_KEY_FILE])
      ? []
      : ['KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE: set both or neither']),
    ...(together([read.KAFKA_SASL_MECHANISM, read.KAFKA_SASL_USERNAME, read.KAFKA_SASL_PASSWORD])
      ? []
      : ['KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD: set all three or none']),
    ...(isSecure || isLocal || read.KAFKA_SASL_PASSWORD === undefined
      ? []
      : ['KAFKA_SASL_PASSWORD: requires KAFKA_TLS, so that it is not sent in clear text']),
    ...(isSecure || isLocal || !isProduction || read.UNENCRYPTED_NETWORK === 'true' ? [] : [`KAFKA_BROKERS: ${WITHOUT_TLS}`]),
  ];
}

/** Where Kafka is, and how this process authenticates there; for `startMessaging`. */
export function kafkaSettings(read: KafkaEnv, clientId: string) {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = read;
  return {
    brokers: read.KAFKA_BROKERS,
    topicPrefix: read.KAFKA_TOPIC_PREFIX,
    partitions: read.KAFKA_PARTITIONS,
    clientId,
    sessionTimeoutMs: read.KAFKA_SESSION_TIMEOUT_MS,
    lateAfterMs: read.LATE_AFTER_MS,
    tls:
      read.KAFKA_TLS === 'true'
        ? { caFile: read.KAFKA_TLS_CA_FILE, certFile: read.KAFKA_TLS_CERT_FILE, keyFile: read.KAFKA_TLS_KEY_FILE }
        : undefined,
    sasl: mechanism && username !== undefined && password !== undefined ? { mechanism, username, password } : undefined,
  };
}
