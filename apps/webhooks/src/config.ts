import { mongoProblems } from '@fanfare/mongo';
import {
  developmentOnly,
  isProduction,
  kafkaEnv,
  kafkaProblems,
  kafkaSettings,
  mongoEnv,
  peerTlsProblems,
  peerTlsSettings,
  processEnv,
  publicAddress,
  readEnv,
  rpcEnv,
  setting,
} from '@fanfare/runtime';

export type Config = ReturnType<typeof loadConfig>;

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...rpcEnv(['gateway', 'operator']),
      ...mongoEnv('fanfare_webhooks'),
      ...kafkaEnv,
      GRPC_ADDRESS: setting.address('127.0.0.1:4455'),
      /** Encrypts the URLs, headers and secrets of endpoints. */
      KEYRING: setting.keyring(),
      /** Origins that are not public but may receive webhooks: the sandbox, a test's server. */
      FETCH_ALLOWED_ORIGINS: developmentOnly(setting.origins()),
      /** Public URL of the API; events contain URLs of resources. */
      BASE_URL: publicAddress(setting.url()),
      /** The web app's URL; by default the API's. */
      CONSOLE_URL: publicAddress(setting.url().optional()),
    },
    env,
    [(read) => peerTlsProblems(read, { listening: { GRPC_ADDRESS: read.GRPC_ADDRESS }, calling: {} }), mongoProblems, kafkaProblems],
  );
  return {
    logLevel: read.LOG_LEVEL,
    peerTls: peerTlsSettings(read),
    reflection: read.GRPC_REFLECTION === 'true',
    adminAddress: read.ADMIN_ADDRESS,
    grpcAddress: read.GRPC_ADDRESS,
    baseUrl: read.BASE_URL,
    consoleUrl: read.CONSOLE_URL ?? read.BASE_URL,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: kafkaSettings(read, 'webhooks'),
    keyring: read.KEYRING,
    sending: {
      allowedOrigins: read.FETCH_ALLOWED_ORIGINS,
      httpsOnly: isProduction(env),
      /** Endpoints that one process sends to at the same time, and requests in flight to each. */
      endpointsAtOnce: 1_000,
      inFlight: 20,
      leaseMs: 10_000,
      idleMs: 2_000,
      sweepMs: 10_000,
      timeoutMs: 15_000,
      /** After each failed attempt of a delivery; the last one repeats. Each ± 20 %. */
      delaysMs: [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600].map((seconds) => seconds * 1_000),
      triedForMs: 24 * 3_600_000,
      longestRetryAfterMs: 24 * 3_600_000,
      /** After so many failures in a row an endpoint is left alone, at first for this long, and twice as long after each further failure. */
      breaksAfter: 5,
      firstBreakMs: 5_000,
      longestBreakMs: 5 * 60_000,
      disabledAfterMs: 5 * 24 * 3_600_000,
      formerSecretMs: 24 * 3_600_000,
    },
    /** How often the events of other processes are looked for while callers wait. */
    pollMs: 200,
  };
}
