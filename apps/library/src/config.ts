import { kafkaEnv, mongoEnv, processEnv, readEnv, setting } from '@fanfare/runtime';
import { z } from 'zod';
import { parseSigningKeys } from './domain/signing-keys.ts';

export type Config = ReturnType<typeof loadConfig>;

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...mongoEnv('fanfare_library'),
      ...kafkaEnv,
      NODE_ENV: z.string().default('development'),
      GRPC_ADDRESS: setting.address('127.0.0.1:4421'),
      /** Bytes: signed media, which the gateway passes on, and uploads from the gateway. Not for the outside. */
      HTTP_ADDRESS: setting.address('127.0.0.1:4422'),
      /** Where callers and platforms reach `/media/…`: the gateway. */
      PUBLIC_BASE_URL: setting.url(),
      /** Where our own processes reach `/media/…`: this process's HTTP address. */
      INTERNAL_BASE_URL: setting.url(),
      /** `id:base64,…`, 32 bytes each; the first one signs, all of them verify. */
      MEDIA_URL_SECRET: z.string().transform((text, problems) => {
        const keys = parseSigningKeys(text);
        if (keys) return keys;
        problems.addIssue({ code: 'custom', message: 'must be id:base64, 32 bytes or more each' });
        return z.NEVER;
      }),
      /** Origins that URLs may be fetched from although they are not public: the sandbox, a test's server. Never in production. */
      FETCH_ALLOWED_ORIGINS: setting.list(),
      /** The largest file that is fetched from a URL in the background. */
      FETCH_MAX_BYTES: setting.integer(5 * GIB, 1),
      UPLOAD_MAX_BYTES: setting.integer(512 * MIB, 1),
    },
    env,
  );
  if (read.NODE_ENV === 'production' && read.FETCH_ALLOWED_ORIGINS.length > 0) {
    throw new Error('The configuration is not usable. FETCH_ALLOWED_ORIGINS: must be empty in production');
  }
  return {
    logLevel: read.LOG_LEVEL,
    adminAddress: read.ADMIN_ADDRESS,
    grpcAddress: read.GRPC_ADDRESS,
    httpAddress: read.HTTP_ADDRESS,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: {
      brokers: read.KAFKA_BROKERS,
      topicPrefix: read.KAFKA_TOPIC_PREFIX,
      clientId: 'library',
      sessionTimeoutMs: read.KAFKA_SESSION_TIMEOUT_MS,
    },
    urls: { publicBaseUrl: read.PUBLIC_BASE_URL, internalBaseUrl: read.INTERNAL_BASE_URL, keys: read.MEDIA_URL_SECRET },
    fetchAllowedOrigins: read.FETCH_ALLOWED_ORIGINS,
    uploadMaxBytes: read.UPLOAD_MAX_BYTES,
    /** What one URL in a request may cost. */
    fetch: { maxBytes: 50 * MIB, timeoutMs: 25_000 },
    /** What one URL may cost in the background, for each attempt. `timeScale` shortens pauses and leases; tests set it. */
    intakes: { maxBytes: read.FETCH_MAX_BYTES, timeoutMs: 2 * 60 * 60_000, timeScale: 1 },
  };
}
