import path from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

export const SERVICES = ['analytics', 'content', 'gateway', 'generation', 'library', 'publisher', 'webhooks'] as const;
export type Service = (typeof SERVICES)[number];

const APPS = path.join(import.meta.dirname, '../../apps');

/** What has no default. */
const REQUIRED: Env = {
  NODE_ENV: 'test',
  KEYRING: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  BASE_URL: 'http://127.0.0.1:4400',
  LIBRARY_HTTP_URL: 'http://127.0.0.1:4422',
  PUBLIC_BASE_URL: 'http://127.0.0.1:4400',
  INTERNAL_BASE_URL: 'http://127.0.0.1:4422',
  MEDIA_URL_SECRET: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
};

/** The settings that a service reads, by its own code, and the function that reads them. */
export async function settingsOf(service: string): Promise<{ names: string[]; load: (env: Env) => Record<string, unknown> }> {
  const { loadConfig } = (await import(path.join(APPS, service, 'src/config.ts'))) as { loadConfig: (env: Env) => Record<string, unknown> };
  const names = new Set<string>();
  loadConfig(new Proxy(REQUIRED, { get: (env, name: string) => (names.add(name), env[name]) }));
  return { names: [...names], load: loadConfig };
}

/** The names that may call a service unless TLS_PEERS says otherwise, and those that may borrow access tokens. */
export async function callersOf(service: Service): Promise<string[]> {
  const { load } = await settingsOf(service);
  const files = Object.fromEntries(['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CA_FILE'].map((name) => [name, import.meta.filename]));
  const secure = { LIBRARY_HTTP_URL: 'https://127.0.0.1:4422', INTERNAL_BASE_URL: 'https://127.0.0.1:4422' };
  const config = load({ ...REQUIRED, ...files, ...secure }) as { peerTls?: { peers: string[] }; accessPeers?: string[] };
  return [...new Set([...(config.peerTls?.peers ?? []), ...(config.accessPeers ?? [])])];
}
