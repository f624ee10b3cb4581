import { mongoProblems } from '@fanfare/mongo';
import {
  kafkaEnv,
  mongoEnv,
  processEnv,
  readEnv,
  setting,
  peerTlsProblems,
  peerTlsSettings,
  rpcEnv,
  kafkaProblems,
  kafkaSettings,
} from '@fanfare/runtime';

export type Config = ReturnType<typeof loadConfig>;

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...rpcEnv(['gateway', 'generation', 'operator']),
      ...mongoEnv('fanfare_content'),
      ...kafkaEnv,
      GRPC_ADDRESS: setting.address('127.0.0.1:4411'),
      LIBRARY_ADDRESS: setting.address('127.0.0.1:4421'),
      GENERATION_ADDRESS: setting.address('127.0.0.1:4451'),
      /** How late a post may be claimed and still count as in time, whatever its misfire policy. */
      MISFIRE_THRESHOLD_MS: setting.integer(60_000, 1_000),
      TIMELINE_DAYS: setting.integer(400, 1),
    },
    env,
    [
      (read) =>
        peerTlsProblems(read, {
          listening: { GRPC_ADDRESS: read.GRPC_ADDRESS },
          calling: { LIBRARY_ADDRESS: read.LIBRARY_ADDRESS, GENERATION_ADDRESS: read.GENERATION_ADDRESS },
        }),
      mongoProblems,
      kafkaProblems,
    ],
  );
  return {
    logLevel: read.LOG_LEVEL,
    peerTls: peerTlsSettings(read),
    reflection: read.GRPC_REFLECTION === 'true',
    adminAddress: read.ADMIN_ADDRESS,
    grpcAddress: read.GRPC_ADDRESS,
    libraryAddress: read.LIBRARY_ADDRESS,
    generationAddress: read.GENERATION_ADDRESS,
    misfireThresholdMs: read.MISFIRE_THRESHOLD_MS,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: kafkaSettings(read, 'content'),
    lateAfterMs: read.LATE_AFTER_MS,
    timelineDays: read.TIMELINE_DAYS,
  };
}
