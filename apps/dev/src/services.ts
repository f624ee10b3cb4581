import path from 'node:path';
import { connectors } from '@fanfare/connectors';
import type { Infra } from '@fanfare/infra';
import type { LocalSecrets } from './local-secrets.ts';
import type { Ports } from './ports.ts';

export interface ServiceSpec {
  readonly name: string;
  readonly env: Record<string, string>;
  /** Answers on /readyz. */
  readonly adminUrl: string;
}

export interface ServiceSettings {
  readonly dataDir: string;
  readonly ports: Ports;
  readonly infra: Pick<Infra, 'mongoUrl' | 'kafkaBrokers'>;
  readonly secrets: LocalSecrets;
}

/** What each process is told, in the order in which they start; they stop in the opposite order. */
export function serviceSpecs({ dataDir, ports, infra, secrets }: ServiceSettings): ServiceSpec[] {
  const baseUrl = `http://${at(ports.api)}`;
  const libraryHttpUrl = `http://${at(ports.libraryHttp)}`;
  const database = (service: string) => ({ MONGODB_URL: infra.mongoUrl, MONGODB_DATABASE: `${secrets.namespace}_${service}` });
  const kafka = { KAFKA_BROKERS: infra.kafkaBrokers.join(','), KAFKA_TOPIC_PREFIX: `${secrets.namespace}.` };
  const spec = (name: string, adminPort: number, env: Record<string, string>): ServiceSpec => ({
    name,
    env: { ADMIN_ADDRESS: at(adminPort), ...env },
    adminUrl: `http://${at(adminPort)}`,
  });

  return [
    spec('sandbox', ports.sandbox, {
      HOST: '127.0.0.1',
      PORT: String(ports.sandbox),
      SANDBOX_DATA_FILE: path.join(dataDir, 'sandbox.json'),
    }),
    spec('library', ports.libraryAdmin, {
      ...database('library'),
      GRPC_ADDRESS: at(ports.libraryGrpc),
      HTTP_ADDRESS: at(ports.libraryHttp),
      PUBLIC_BASE_URL: baseUrl,
      INTERNAL_BASE_URL: libraryHttpUrl,
      MEDIA_URL_SECRET: secrets.mediaUrlSecret,
    }),
    spec('publisher', ports.publisherAdmin, {
      ...database('publisher'),
      ...kafka,
      GRPC_ADDRESS: at(ports.publisherGrpc),
      LIBRARY_ADDRESS: at(ports.libraryGrpc),
      KEYRING: secrets.keyring,
      PLATFORM_BASE_URL: `http://${at(ports.sandbox)}`,
      PLATFORM_APPS: JSON.stringify(sandboxApps()),
    }),
    spec('content', ports.contentAdmin, {
      ...database('content'),
      ...kafka,
      GRPC_ADDRESS: at(ports.contentGrpc),
      LIBRARY_ADDRESS: at(ports.libraryGrpc),
    }),
    spec('gateway', ports.gatewayAdmin, {
      ...database('gateway'),
      HTTP_ADDRESS: at(ports.api),
      BASE_URL: baseUrl,
      ADMIN_GRPC_ADDRESS: at(ports.gatewayGrpc),
      CONTENT_ADDRESS: at(ports.contentGrpc),
      LIBRARY_ADDRESS: at(ports.libraryGrpc),
      LIBRARY_HTTP_URL: libraryHttpUrl,
      PUBLISHER_ADDRESS: at(ports.publisherGrpc),
    }),
  ];
}

export const at = (port: number) => `127.0.0.1:${port}`;

/** The registrations that the sandbox has from the start. */
function sandboxApps() {
  return Object.fromEntries(
    Object.keys(connectors).map((platform) => [
      platform,
      { client_id: `sandbox-${platform}`, client_secret: `sandbox-${platform}-secret` },
    ]),
  );
}
