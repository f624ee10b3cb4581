import { apiVersionEnv, apiVersionsOf, connectorFor, PLATFORMS, type Platform } from '@fanfare/connectors';
import { mongoProblems } from '@fanfare/mongo';
import {
  developmentOnly,
  inProduction,
  kafkaEnv,
  kafkaProblems,
  kafkaSettings,
  mongoEnv,
  peerTlsProblems,
  peerTlsSettings,
  processEnv,
  readEnv,
  rpcEnv,
  setting,
} from '@fanfare/runtime';
import { z } from 'zod';

export type Config = ReturnType<typeof loadConfig>;

const charging = PLATFORMS.filter((platform) => connectorFor(platform).reading?.rules.chargesForReads);

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...rpcEnv(['gateway', 'operator']),
      ...mongoEnv('fanfare_analytics'),
      ...kafkaEnv,
      ...apiVersionEnv,
      GRPC_ADDRESS: setting.address('127.0.0.1:4441'),
      PUBLISHER_ADDRESS: setting.address('127.0.0.1:4431'),
      /** Base URL of the sandbox; unset means the real platforms. */
      PLATFORM_BASE_URL: developmentOnly(setting.url().optional()),
      PLATFORM_TIMEOUT_MS: setting.integer(10_000, 100),
      /** Platforms whose statistics are never read, because they charge for reads; `none` reads all. */
      READS_OFF: setting.list(charging).superRefine((names, context) => {
        if (names.length === 1 && names[0] === 'none') return;
        for (const name of names.filter((name) => !PLATFORMS.includes(name as Platform)))
          context.addIssue({ code: 'custom', message: `${name} is not one of ${PLATFORMS.join(', ')}` });
      }),
      /** Snapshots of posts that one process takes at the same time; with 0 it takes none, and only serves calls. */
      SNAPSHOTS_AT_ONCE: setting.integer(64, 0),
      /** Shortens the ages at which snapshots are taken, for tests. */
      TIME_SCALE: inProduction(z.coerce.number().positive().max(1).default(1), (scale) => (scale === 1 ? undefined : 'is for tests only')),
    },
    env,
    [
      (read) =>
        peerTlsProblems(read, { listening: { GRPC_ADDRESS: read.GRPC_ADDRESS }, calling: { PUBLISHER_ADDRESS: read.PUBLISHER_ADDRESS } }),
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
    publisherAddress: read.PUBLISHER_ADDRESS,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: kafkaSettings(read, 'analytics'),
    platforms: { baseUrl: read.PLATFORM_BASE_URL, timeoutMs: read.PLATFORM_TIMEOUT_MS, apiVersions: apiVersionsOf(read) },
    readsOff: new Set(read.READS_OFF as Platform[]),
    snapshotsAtOnce: read.SNAPSHOTS_AT_ONCE,
    timeScale: read.TIME_SCALE,
  };
}
