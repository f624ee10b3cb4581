import { apiVersionEnv, apiVersionsOf, APP_NAMES, loginOfApp, sandboxApp, type AppName, type OAuthApp } from '@fanfare/connectors';
import { mongoProblems } from '@fanfare/mongo';
import {
  developmentOnly,
  inProduction,
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
import { z } from 'zod';
import { platformQuotas } from './quotas/platform-quotas.ts';

export type Config = ReturnType<typeof loadConfig>;

/**
 * Our app's registration with each platform: `{"facebook": {"client_id": "…", "client_secret": "…"}}`. `scopes`, a list, to request
 * other scopes than the enabled features need. `instagram` is an app of Facebook Login, `instagram_login` one of Instagram's own.
 * The word `sandbox` instead of JSON means all apps that the sandbox has from the start.
 */
const platformApps = z.partialRecord(
  z.enum(APP_NAMES),
  z.object({ client_id: z.string(), client_secret: z.string(), scopes: z.array(z.string().min(1)).min(1).optional() }),
);

const json = (message = 'must be JSON') =>
  z
    .string()
    .default('{}')
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
    });

const withSandboxApps = (given: unknown) =>
  given === 'sandbox' ? JSON.stringify(Object.fromEntries(APP_NAMES.map((name) => [name, sandboxApp(name)]))) : given;

/** The sandbox's default apps, whose secrets are public. */
const isOfSandbox = (app: { client_id: string; client_secret: string } | undefined) =>
  app !== undefined && [app.client_id, app.client_secret].some((text) => text.startsWith('sandbox-'));

const SCALES = ['TIME_SCALE', 'DEADLINE_SCALE'] as const;
type Scales = Readonly<Record<(typeof SCALES)[number], number>>;
const testScale = (most: number, why: string) =>
  inProduction(z.coerce.number().positive().max(most).default(1), (scale) => (scale === 1 ? undefined : `is for tests only: ${why}`));

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...rpcEnv(['gateway', 'operator']),
      ...mongoEnv('fanfare_publisher'),
      ...kafkaEnv,
      ...apiVersionEnv,
      GRPC_ADDRESS: setting.address('127.0.0.1:4431'),
      /** Whose certificates may borrow the access tokens of accounts, and read accounts. Those in TLS_PEERS may not borrow. */
      ACCESS_PEERS: setting.list(['analytics']),
      LIBRARY_ADDRESS: setting.address('127.0.0.1:4421'),
      /** Encrypts tokens: `id:base64,…`; the first key encrypts. */
      KEYRING: setting.keyring(),
      /** Base URL of the sandbox; unset means the real platforms. */
      PLATFORM_BASE_URL: developmentOnly(setting.url().optional()),
      /** Base URL of a sandbox that gets the canary's posts; the only place where they go. Also in production. */
      CANARY_SANDBOX_URL: setting.url().optional(),
      PLATFORM_APPS: inProduction(z.preprocess(withSandboxApps, json('must be JSON, or "sandbox"').pipe(platformApps)), (apps) =>
        Object.values(apps).some(isOfSandbox) ? 'contains an app of the sandbox' : undefined,
      ),
      PLATFORM_BUDGETS: json().pipe(platformQuotas),
      PLATFORM_TIMEOUT_MS: setting.integer(30_000, 100),
      TIMELINE_DAYS: setting.integer(400, 1),
      MAX_IN_FLIGHT: setting.integer(64, 1),
      MAX_IN_FLIGHT_PER_ORGANIZATION: setting.integer(16, 1),
      MAX_IN_FLIGHT_PER_ACCOUNT: setting.integer(4, 1),
      /** Pauses everything when the process starts: for a database that was restored from a backup, until `admin restore-fence` has reconciled it. */
      PAUSE_ON_START: z.enum(['true', 'false']).default('false'),
      /** At least longer than the inbox keeps events: a publication that is requested again must find its deliveries. */
      DELIVERY_RETENTION_DAYS: setting.integer(90, 35),
      /** Shortens settle times and waits, for tests. */
      TIME_SCALE: testScale(1, 'real platforms require the full settle times'),
      /** Shortens leases and platform deadlines for tests that wait for their end, and extends them for tests that hold calls back. Apart from TIME_SCALE, because a busy machine needs longer deadlines. */
      DEADLINE_SCALE: testScale(100, 'real platforms require the full deadlines'),
    },
    env,
    [
      (read) =>
        peerTlsProblems(read, { listening: { GRPC_ADDRESS: read.GRPC_ADDRESS }, calling: { LIBRARY_ADDRESS: read.LIBRARY_ADDRESS } }),
      scaleProblems,
      mongoProblems,
      kafkaProblems,
    ],
  );
  const apps = new Map<AppName, OAuthApp>(
    Object.entries(read.PLATFORM_APPS).flatMap(([name, app]) => {
      if (!app) return [];
      const login = loginOfApp(name);
      const { client_id: clientId, client_secret: clientSecret, scopes } = app;
      return [[name, { ...(login && { login }), clientId, clientSecret, ...(scopes && { scopes }) }]];
    }),
  );
  return {
    logLevel: read.LOG_LEVEL,
    peerTls: peerTlsSettings(read),
    reflection: read.GRPC_REFLECTION === 'true',
    adminAddress: read.ADMIN_ADDRESS,
    grpcAddress: read.GRPC_ADDRESS,
    accessPeers: read.ACCESS_PEERS,
    libraryAddress: read.LIBRARY_ADDRESS,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: kafkaSettings(read, 'publisher'),
    lateAfterMs: read.LATE_AFTER_MS,
    keyring: read.KEYRING,
    pauseOnStart: read.PAUSE_ON_START === 'true',
    deliveryRetentionDays: read.DELIVERY_RETENTION_DAYS,
    timelineDays: read.TIMELINE_DAYS,
    platforms: { baseUrl: read.PLATFORM_BASE_URL, apps, timeoutMs: read.PLATFORM_TIMEOUT_MS },
    canarySandboxUrl: read.CANARY_SANDBOX_URL,
    apiVersions: apiVersionsOf(read),
    inFlight: {
      total: read.MAX_IN_FLIGHT,
      perOrganization: read.MAX_IN_FLIGHT_PER_ORGANIZATION,
      perAccount: read.MAX_IN_FLIGHT_PER_ACCOUNT,
    },
    quotas: read.PLATFORM_BUDGETS,
    timeScale: read.TIME_SCALE,
    deadlineScale: read.DEADLINE_SCALE,
  };
}

function scaleProblems({ PLATFORM_BASE_URL, ...read }: Scales & { PLATFORM_BASE_URL?: string | undefined }): string[] {
  if (PLATFORM_BASE_URL !== undefined) return [];
  const changed = SCALES.filter((name) => read[name] !== 1);
  return changed.map((name) => `${name}: is only allowed with a sandbox (set PLATFORM_BASE_URL)`);
}
