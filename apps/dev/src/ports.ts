import { assertPortFree, beyondLastPort } from '@fanfare/infra';

/** Every port that we listen on, all on 127.0.0.1. MongoDB's and Kafka's are chosen by @fanfare/infra. */
const table = [
  { name: 'api', port: 4400, purpose: 'the API', setting: 'FANFARE_API_PORT' },
  { name: 'gatewayGrpc', port: 4401, purpose: "the gateway's internal API", setting: 'FANFARE_GATEWAY_GRPC_PORT' },
  { name: 'gatewayAdmin', port: 4402, purpose: "the gateway's health checks", setting: 'FANFARE_GATEWAY_ADMIN_PORT' },
  { name: 'contentGrpc', port: 4411, purpose: 'the content service', setting: 'FANFARE_CONTENT_GRPC_PORT' },
  { name: 'contentAdmin', port: 4412, purpose: "the content service's health checks", setting: 'FANFARE_CONTENT_ADMIN_PORT' },
  { name: 'libraryGrpc', port: 4421, purpose: 'the library service', setting: 'FANFARE_LIBRARY_GRPC_PORT' },
  { name: 'libraryHttp', port: 4422, purpose: "the library service's media", setting: 'FANFARE_LIBRARY_HTTP_PORT' },
  { name: 'libraryAdmin', port: 4423, purpose: "the library service's health checks", setting: 'FANFARE_LIBRARY_ADMIN_PORT' },
  { name: 'publisherGrpc', port: 4431, purpose: 'the publisher service', setting: 'FANFARE_PUBLISHER_GRPC_PORT' },
  { name: 'publisherAdmin', port: 4432, purpose: "the publisher service's health checks", setting: 'FANFARE_PUBLISHER_ADMIN_PORT' },
  { name: 'analyticsGrpc', port: 4441, purpose: 'the analytics service', setting: 'FANFARE_ANALYTICS_GRPC_PORT' },
  { name: 'analyticsAdmin', port: 4442, purpose: "the analytics service's health checks", setting: 'FANFARE_ANALYTICS_ADMIN_PORT' },
  { name: 'generationGrpc', port: 4451, purpose: 'the generation service', setting: 'FANFARE_GENERATION_GRPC_PORT' },
  { name: 'generationAdmin', port: 4452, purpose: "the generation service's health checks", setting: 'FANFARE_GENERATION_ADMIN_PORT' },
  { name: 'webhooksGrpc', port: 4455, purpose: 'the webhooks service', setting: 'FANFARE_WEBHOOKS_GRPC_PORT' },
  { name: 'webhooksAdmin', port: 4456, purpose: "the webhooks service's health checks", setting: 'FANFARE_WEBHOOKS_ADMIN_PORT' },
  { name: 'sandbox', port: 4460, purpose: 'the sandbox', setting: 'FANFARE_SANDBOX_PORT' },
  { name: 'sandboxSmtp', port: 4461, purpose: "the sandbox's mail server", setting: 'FANFARE_SANDBOX_SMTP_PORT' },
] as const;

/** Those above 1023 (fetch.spec.whatwg.org/#port-blocking), to which we could not connect. */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export type Ports = Readonly<Record<(typeof table)[number]['name'], number>>;

/**
 * @param api overrides the API's port
 * @param offset is added to each port that is not set explicitly
 * @throws Error if a setting is not a port number, the offset is too large, fetch() rejects the port, or two would listen on the same port
 */
export function choosePorts(
  { api, offset = 0 }: { api?: number | undefined; offset?: number },
  env: NodeJS.ProcessEnv = process.env,
): Ports {
  const purposes = new Map<number, string>();
  const chosen = table.map(({ name, port, purpose, setting }) => {
    const set = name === 'api' && api !== undefined ? String(api) : env[setting];
    const wanted = set ? Number(set) : port + offset;
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
      throw new Error(set ? `${setting} must be a port number, not ${set}.` : beyondLastPort(port, offset, purpose));
    }
    if (BLOCKED_PORTS.has(wanted)) {
      const why = `Browsers and fetch() reject port ${wanted}`;
      throw new Error(
        set
          ? `${why}: set ${name === 'api' && api !== undefined ? '--port' : setting} to another port.`
          : `${why}: --port-offset ${offset} moves ${purpose} from port ${port} to it. Choose another offset, or set ${setting} to another port.`,
      );
    }
    const other = purposes.get(wanted);
    if (other !== undefined)
      throw new Error(`Port ${wanted} is configured for both ${other} and ${purpose}. Set ${setting} to another port.`);
    purposes.set(wanted, purpose);
    return [name, wanted] as const;
  });
  return Object.fromEntries(chosen) as Ports;
}

/** @throws Error one sentence with the first port that is in use, its purpose and what to do */
export async function assertPortsFree(ports: Ports): Promise<void> {
  for (const { name, purpose, setting } of table) await assertPortFree(ports[name], purpose, setting);
}
