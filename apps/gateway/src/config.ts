import { mongoProblems } from '@fanfare/mongo';
import {
  developmentOnly,
  inProduction,
  kafkaEnv,
  kafkaProblems,
  kafkaSettings,
  mongoEnv,
  processEnv,
  publicAddress,
  readEnv,
  setting,
  peerTlsProblems,
  peerTlsSettings,
  rpcEnv,
} from '@fanfare/runtime';
import { z } from 'zod';
import { trustsEveryAddress } from './http/limits/trusts-every-address.ts';

const DAY_MS = 24 * 60 * 60_000;

export type Config = ReturnType<typeof loadConfig>;

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...rpcEnv(['operator']),
      ...mongoEnv('fanfare_gateway'),
      ...kafkaEnv,
      /** Where callers reach us; stands at the head of every URL in our responses. */
      BASE_URL: publicAddress(setting.url('http://127.0.0.1:4400')),
      /** Where people reach the web app, when it is not at BASE_URL. */
      CONSOLE_URL: publicAddress(setting.url().optional()),
      /**
       * Addresses or networks (or `loopback`, `linklocal`, `uniquelocal`) of the proxies in front of us: only their X-Forwarded-For is
       * trusted. Unset, the address of the connection is the caller's, and everybody behind a proxy counts as one.
       */
      TRUSTED_PROXIES: inProduction(setting.list([]), (proxies) =>
        proxies.some(trustsEveryAddress) ? 'trusts every address: list your proxies or their network' : undefined,
      ),
      HTTP_ADDRESS: setting.address('127.0.0.1:4400'),
      /** AdminService. Whoever reaches it creates organizations and keys: never for the outside. */
      ADMIN_GRPC_ADDRESS: setting.address('127.0.0.1:4401'),
      CONTENT_ADDRESS: setting.address('127.0.0.1:4411'),
      LIBRARY_ADDRESS: setting.address('127.0.0.1:4421'),
      /** The library's port for bytes. */
      LIBRARY_HTTP_URL: setting.url('http://127.0.0.1:4422'),
      PUBLISHER_ADDRESS: setting.address('127.0.0.1:4431'),
      ANALYTICS_ADDRESS: setting.address('127.0.0.1:4441'),
      GENERATION_ADDRESS: setting.address('127.0.0.1:4451'),
      WEBHOOKS_ADDRESS: setting.address('127.0.0.1:4455'),
      /**
       * At a stop, how long we say that we are not ready and still take connections: as long as balancers go on sending some. Not needed where the
       * signal comes after they have learned of the stop, as by the chart's preStop action.
       */
      DRAIN_MS: z.coerce.number().int().min(0).max(30_000).default(0),
      /** An idempotent request whose process gives no sign of life for this long is taken over by its repeat. */
      IDEMPOTENCY_LEASE_MS: setting.integer(5_000, 100),
      /** Where browsers may be sent after an account was connected, besides the web app: exact URLs, without what follows `?`. */
      CONNECT_RETURN_URLS: publicAddress(
        setting.list([]).pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be http or https URLs' }))),
      ),
      /** Who may sign up: anybody (`open`), or only who was invited. */
      SIGN_UP: z.enum(['open', 'invited']).default('invited'),
      /** An OpenID Connect provider that people may sign in with. Its redirect URI is {BASE_URL}/api/auth/oidc/sso/callback. */
      OIDC_ISSUER: publicAddress(setting.url().optional()),
      OIDC_CLIENT_ID: z.string().optional(),
      OIDC_CLIENT_SECRET: z.string().optional(),
      /** Of the provider, where its address is not public, or its port is none of 80, 443, 8080 and 8443. */
      OIDC_ALLOWED_ORIGINS: publicAddress(setting.origins()),
      /** What the button says. */
      OIDC_NAME: z.string().max(100).default('Single sign-on'),
      /** Encrypts stored secrets (mails, responses that contain a key): `id:base64,…`, the first key encrypts. */
      KEYRING: setting.keyring(),
      /** The server that mail goes out by: smtp://… or smtps://…, user and password in it. Unset, mail stays queued. */
      SMTP_URL: z
        .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' })
        // They could turn off TLS, or the check of the server's certificate.
        .refine((text) => !text.includes('?'), 'must have no options (what follows a ?)')
        .optional(),
      MAIL_FROM: z
        .string()
        .regex(/^[^\r\n]+@[^\r\n]+$/, 'must be an address, or Name <address>')
        .default('Fanfare <no-reply@localhost>'),
      /** Where feedback of customers is mailed to. Unset, it is only stored. */
      OPERATOR_MAIL: z.email().optional(),
      /** From the first failure to the mail that reports it and what follows. */
      DIGEST_DELAY_MS: setting.integer(60_000, 1),
      /**
       * How long a business, or an organization, can be restored after its deletion was requested. A mistake about a business is noticed within days, because its
       * posts stop; an organization is not always looked at by its owners every week, and contains everything.
       */
      DELETE_BUSINESS_AFTER_MS: setting.integer(7 * DAY_MS, 0),
      DELETE_ORGANIZATION_AFTER_MS: setting.integer(30 * DAY_MS, 0),
      /** How long the archive of an export can be downloaded. It contains everything of an organization: no longer than its owners need. */
      EXPORT_KEPT_MS: setting.integer(DAY_MS, 60 * 60_000),
      /** How often a post of the canary's is published. Unset, never. */
      CANARY_EVERY_MS: z.coerce.number().int().min(100).optional(),
      /** Development: where its inbox can be looked at. */
      DEV_MAIL_URL: developmentOnly(setting.url().optional()),
    },
    env,
    [oidcProblems, libraryUrlProblems, callProblems, mongoProblems, kafkaProblems],
  );
  return {
    logLevel: read.LOG_LEVEL,
    peerTls: peerTlsSettings(read),
    reflection: read.GRPC_REFLECTION === 'true',
    baseUrl: read.BASE_URL,
    consoleUrl: read.CONSOLE_URL ?? read.BASE_URL,
    trustedProxies: read.TRUSTED_PROXIES,
    httpAddress: read.HTTP_ADDRESS,
    adminAddress: read.ADMIN_ADDRESS,
    adminGrpcAddress: read.ADMIN_GRPC_ADDRESS,
    contentAddress: read.CONTENT_ADDRESS,
    libraryAddress: read.LIBRARY_ADDRESS,
    libraryHttpUrl: read.LIBRARY_HTTP_URL,
    publisherAddress: read.PUBLISHER_ADDRESS,
    analyticsAddress: read.ANALYTICS_ADDRESS,
    generationAddress: read.GENERATION_ADDRESS,
    webhooksAddress: read.WEBHOOKS_ADDRESS,
    keyring: read.KEYRING,
    connectReturnUrls: read.CONNECT_RETURN_URLS,
    signUp: read.SIGN_UP,
    oidc: oidcConfig(read),
    drainMs: read.DRAIN_MS,
    idempotencyLeaseMs: read.IDEMPOTENCY_LEASE_MS,
    mail: { smtpUrl: read.SMTP_URL, from: read.MAIL_FROM, operators: read.OPERATOR_MAIL, devInboxUrl: read.DEV_MAIL_URL },
    digestDelayMs: read.DIGEST_DELAY_MS,
    deletionAfterMs: { business: read.DELETE_BUSINESS_AFTER_MS, organization: read.DELETE_ORGANIZATION_AFTER_MS },
    exportKeptMs: read.EXPORT_KEPT_MS,
    canaryEveryMs: read.CANARY_EVERY_MS,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: kafkaSettings(read, 'gateway'),
    lateAfterMs: read.LATE_AFTER_MS,
  };
}

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
}

interface OidcSettings {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_NAME: string;
  OIDC_ALLOWED_ORIGINS: readonly string[];
}

function oidcProblems({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: OidcSettings): string[] {
  const set = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter((one) => one !== undefined).length;
  return set === 0 || set === 3 ? [] : ['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: must be set together'];
}

function oidcConfig(read: OidcSettings): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: read.OIDC_NAME, allowedOrigins: read.OIDC_ALLOWED_ORIGINS };
}

interface Addresses {
  ADMIN_GRPC_ADDRESS: string;
  CONTENT_ADDRESS: string;
  LIBRARY_ADDRESS: string;
  LIBRARY_HTTP_URL: string;
  PUBLISHER_ADDRESS: string;
  ANALYTICS_ADDRESS: string;
  GENERATION_ADDRESS: string;
  WEBHOOKS_ADDRESS: string;
}

function callProblems(read: Parameters<typeof peerTlsProblems>[0] & Addresses): string[] {
  const {
    ADMIN_GRPC_ADDRESS,
    CONTENT_ADDRESS,
    LIBRARY_ADDRESS,
    LIBRARY_HTTP_URL,
    PUBLISHER_ADDRESS,
    ANALYTICS_ADDRESS,
    GENERATION_ADDRESS,
    WEBHOOKS_ADDRESS,
  } = read;
  const calling = {
    CONTENT_ADDRESS,
    LIBRARY_ADDRESS,
    LIBRARY_HTTP_URL,
    PUBLISHER_ADDRESS,
    ANALYTICS_ADDRESS,
    GENERATION_ADDRESS,
    WEBHOOKS_ADDRESS,
  };
  return peerTlsProblems(read, { listening: { ADMIN_GRPC_ADDRESS }, calling });
}

function libraryUrlProblems(read: { LIBRARY_HTTP_URL: string; TLS_CERT_FILE?: string | undefined }): string[] {
  const isSecure = read.LIBRARY_HTTP_URL.startsWith('https:');
  return isSecure === (read.TLS_CERT_FILE !== undefined) ? [] : ['LIBRARY_HTTP_URL: must be https with TLS_CERT_FILE, and http without it'];
}
