import { appNameOf, connectors, loginNamesOf, sandboxApp, META_PLATFORMS, type Quota, type Connector } from '@fanfare/connectors';

/** One of our processes: its settings, and where it reports that it is ready. */
export interface ServiceSpec {
  readonly name: ServiceName;
  readonly env: Record<string, string>;
  /** Serves /readyz. */
  readonly adminUrl: string;
}

export type ServiceName = 'sandbox' | 'library' | 'publisher' | 'content' | 'analytics' | 'generation' | 'webhooks' | 'gateway';

/** Every port that our processes listen on, all on 127.0.0.1. */
export interface Ports {
  readonly api: number;
  readonly gatewayGrpc: number;
  readonly gatewayAdmin: number;
  readonly contentGrpc: number;
  readonly contentAdmin: number;
  readonly libraryGrpc: number;
  readonly libraryHttp: number;
  readonly libraryAdmin: number;
  readonly publisherGrpc: number;
  readonly publisherAdmin: number;
  readonly analyticsGrpc: number;
  readonly analyticsAdmin: number;
  readonly generationGrpc: number;
  readonly generationAdmin: number;
  readonly webhooksGrpc: number;
  readonly webhooksAdmin: number;
  readonly sandbox: number;
  readonly sandboxSmtp: number;
}

export interface StackSettings {
  readonly ports: Ports;
  readonly infra: { readonly mongoUrl: string; readonly kafkaBrokers: readonly string[] };
  readonly secrets: {
    /** Prefix of every database and topic. */
    readonly namespace: string;
    /** The value of KEYRING. */
    readonly keyring: string;
    /** The value of the library's MEDIA_URL_SECRET. */
    readonly mediaUrlSecret: string;
  };
  /** Where the sandbox stores posts; if unset, it keeps them in memory. */
  readonly sandboxDataFile?: string;
  /** Environment of the caller. Of it, only PLATFORM_BUDGETS, FETCH_ALLOWED_ORIGINS and the URLs of models and stock photos are used. */
  readonly given?: Readonly<Record<string, string | undefined>>;
  /** The composer if LANGUAGE_MODEL_URL is not set: the embedded one, unless this selects the sandbox's model. */
  readonly composer?: 'embedded' | 'sandbox';
  /** Whether posts of the canary are published all the time. */
  readonly canary?: boolean;
}

/**
 * The settings of each process, in the order in which they start. They stop in the opposite order: the publisher first, so that platforms can still
 * fetch the media of the deliveries that it finishes.
 */
export function serviceSpecs({
  ports,
  infra,
  secrets,
  sandboxDataFile,
  given = {},
  composer,
  canary = false,
}: StackSettings): ServiceSpec[] {
  const baseUrl = `http://${at(ports.api)}`;
  const libraryHttpUrl = `http://${at(ports.libraryHttp)}`;
  const database = (service: string) => ({ MONGODB_URL: infra.mongoUrl, MONGODB_DATABASE: `${secrets.namespace}_${service}` });
  const kafka = { KAFKA_BROKERS: infra.kafkaBrokers.join(','), KAFKA_TOPIC_PREFIX: `${secrets.namespace}.` };
  const fetchable = [`http://${at(ports.sandbox)}`, given['FETCH_ALLOWED_ORIGINS']].filter(Boolean).join(',');
  const spec = (name: ServiceName, adminPort: number, env: Record<string, string>): ServiceSpec => ({
    name,
    env: { NODE_ENV: 'development', ADMIN_ADDRESS: at(adminPort), ...env },
    adminUrl: `http://${at(adminPort)}`,
  });

  return [
    spec('sandbox', ports.sandbox, {
      HOST: '127.0.0.1',
      PORT: String(ports.sandbox),
      SMTP_PORT: String(ports.sandboxSmtp),
      // Daily quotas of real platforms would stop a developer, or a load test, after a hundred posts.
      SANDBOX_LIMITS_FACTOR: '1000',
      SANDBOX_APPS: JSON.stringify(metaApps(baseUrl)),
      ...(sandboxDataFile !== undefined && { SANDBOX_DATA_FILE: sandboxDataFile }),
    }),
    spec('library', ports.libraryAdmin, {
      ...database('library'),
      ...kafka,
      GRPC_ADDRESS: at(ports.libraryGrpc),
      HTTP_ADDRESS: at(ports.libraryHttp),
      PUBLIC_BASE_URL: baseUrl,
      INTERNAL_BASE_URL: libraryHttpUrl,
      MEDIA_URL_SECRET: secrets.mediaUrlSecret,
    }),
    spec('content', ports.contentAdmin, {
      ...database('content'),
      ...kafka,
      GRPC_ADDRESS: at(ports.contentGrpc),
      LIBRARY_ADDRESS: at(ports.libraryGrpc),
      GENERATION_ADDRESS: at(ports.generationGrpc),
    }),
    spec('gateway', ports.gatewayAdmin, {
      ...database('gateway'),
      ...kafka,
      HTTP_ADDRESS: at(ports.api),
      BASE_URL: baseUrl,
      ADMIN_GRPC_ADDRESS: at(ports.gatewayGrpc),
      CONTENT_ADDRESS: at(ports.contentGrpc),
      LIBRARY_ADDRESS: at(ports.libraryGrpc),
      LIBRARY_HTTP_URL: libraryHttpUrl,
      PUBLISHER_ADDRESS: at(ports.publisherGrpc),
      ANALYTICS_ADDRESS: at(ports.analyticsGrpc),
      GENERATION_ADDRESS: at(ports.generationGrpc),
      WEBHOOKS_ADDRESS: at(ports.webhooksGrpc),
      KEYRING: secrets.keyring,
      SIGN_UP: 'open',
      SMTP_URL: `smtp://${at(ports.sandboxSmtp)}`,
      MAIL_FROM: 'Fanfare <no-reply@fanfare.test>',
      OPERATOR_MAIL: 'operators@fanfare.test',
      // A developer looks for the mail at once.
      DIGEST_DELAY_MS: '5000',
      ...(canary && { CANARY_EVERY_MS: '60000' }),
      DEV_MAIL_URL: `http://${at(ports.sandbox)}/_dev/mail`,
    }),
    spec('analytics', ports.analyticsAdmin, {
      ...database('analytics'),
      ...kafka,
      GRPC_ADDRESS: at(ports.analyticsGrpc),
      PUBLISHER_ADDRESS: at(ports.publisherGrpc),
      PLATFORM_BASE_URL: `http://${at(ports.sandbox)}`,
      // The sandbox charges nothing.
      READS_OFF: 'none',
    }),
    spec('generation', ports.generationAdmin, {
      ...database('generation'),
      ...kafka,
      GRPC_ADDRESS: at(ports.generationGrpc),
      CONTENT_ADDRESS: at(ports.contentGrpc),
      LIBRARY_ADDRESS: at(ports.libraryGrpc),
      LIBRARY_HTTP_URL: libraryHttpUrl,
      FETCH_ALLOWED_ORIGINS: fetchable,
      ...models(`http://${at(ports.sandbox)}`, given, composer),
    }),
    spec('webhooks', ports.webhooksAdmin, {
      ...database('webhooks'),
      ...kafka,
      GRPC_ADDRESS: at(ports.webhooksGrpc),
      BASE_URL: baseUrl,
      KEYRING: secrets.keyring,
      FETCH_ALLOWED_ORIGINS: fetchable,
    }),
    spec('publisher', ports.publisherAdmin, {
      ...database('publisher'),
      ...kafka,
      GRPC_ADDRESS: at(ports.publisherGrpc),
      LIBRARY_ADDRESS: at(ports.libraryGrpc),
      KEYRING: secrets.keyring,
      PLATFORM_BASE_URL: `http://${at(ports.sandbox)}`,
      PLATFORM_APPS: 'sandbox',
      CANARY_SANDBOX_URL: `http://${at(ports.sandbox)}`,
      PLATFORM_BUDGETS: given['PLATFORM_BUDGETS'] || JSON.stringify(sandboxQuotas),
    }),
  ];
}

/** Models and stock photos of the sandbox, each unless another one is configured. */
function models(
  sandbox: string,
  given: Readonly<Record<string, string | undefined>>,
  composer: StackSettings['composer'],
): Record<string, string> {
  const api = `${sandbox}/openai/v1`;
  const urls = {
    ...(composer === 'sandbox' && { LANGUAGE_MODEL: api }),
    ...{ IMAGE_MODEL: api, VIDEO_MODEL: api, STOCK_PHOTOS: `${sandbox}/api.pexels.com` },
  };
  return Object.fromEntries(
    Object.entries(urls)
      .filter(([name]) => !given[`${name}_URL`])
      .flatMap(([name, url]) => [[`${name}_URL`, url] as const, [`${name}_KEY`, 'sandbox-key'] as const]),
  );
}

export const at = (port: number): string => `127.0.0.1:${port}`;

const SANDBOX_FACTOR = 1_000;

/** As high as the sandbox allows, except for limits that the platform reports itself. */
const sandboxQuotas = Object.fromEntries(
  Object.entries<Connector>(connectors).flatMap(([platform, { quotas = [] }]) => {
    const limits = quotas.flatMap(({ name, limit, read }: Quota) => (limit && !read ? [[name, limit * SANDBOX_FACTOR] as const] : []));
    return limits.length > 0 ? [[platform, Object.fromEntries(limits)] as const] : [];
  }),
);

/** As in Meta's app dashboard: the URLs that Meta calls when a person removes the app, and when a person requests data deletion. */
function metaApps(baseUrl: string) {
  const apps = META_PLATFORMS.flatMap((platform) => [
    { platform, ...sandboxApp(platform) },
    ...loginNamesOf(platform)
      .slice(1)
      .map((login) => ({ platform, login, ...sandboxApp(appNameOf(platform, login)) })),
  ]);
  return apps.map((app) => ({
    ...app,
    deauthorize_url: `${baseUrl}/api/integrations/meta/deauthorize`,
    data_deletion_url: `${baseUrl}/api/integrations/meta/data-deletion`,
  }));
}
