// What no service accepts in production: what is for development, what everybody knows, and connections that others can read.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { workspaceRoot } from '../src/workspace.ts';

type Env = Readonly<Record<string, string>>;
type LoadConfig = (env: Env) => unknown;

const keyOf = (bytes: Buffer) => `k1:${bytes.toString('base64')}`;
const random = () => keyOf(randomBytes(32));
const ZEROS = keyOf(Buffer.alloc(32));

/** Enough to start in production, in each service. */
const fit: Env = {
  KEYRING: random(),
  MEDIA_URL_SECRET: random(),
  BASE_URL: 'https://api.example.com',
  PUBLIC_BASE_URL: 'https://api.example.com',
  LIBRARY_HTTP_URL: 'http://127.0.0.1:4422',
  INTERNAL_BASE_URL: 'http://127.0.0.1:4422',
};

const inAll: Env = {
  GRPC_REFLECTION: 'true',
  MONGODB_URL: 'mongodb://db.example.com/?replicaSet=rs0',
  KAFKA_BROKERS: 'kafka.example.com:9092',
};
const unfit: Readonly<Record<string, Env>> = {
  gateway: {
    BASE_URL: 'http://api.example.com',
    CONSOLE_URL: 'http://app.example.com',
    KEYRING: ZEROS,
    DEV_MAIL_URL: 'http://127.0.0.1:4460/_dev/mail',
    ADMIN_GRPC_ADDRESS: '0.0.0.0:4401',
    CONTENT_ADDRESS: 'content:4411',
    LIBRARY_HTTP_URL: 'http://library:4422',
    TRUSTED_PROXIES: '0.0.0.0/0',
  },
  content: { GRPC_ADDRESS: '0.0.0.0:4411', LIBRARY_ADDRESS: 'library:4421' },
  library: {
    GRPC_ADDRESS: '0.0.0.0:4421',
    HTTP_ADDRESS: '0.0.0.0:4422',
    PUBLIC_BASE_URL: 'http://api.example.com',
    MEDIA_URL_SECRET: ZEROS,
    FETCH_ALLOWED_ORIGINS: 'http://127.0.0.1:4460',
    SPEECH_TO_TEXT_KEY: 'sandbox-key',
    SPEECH_TO_TEXT_URL: 'http://models.example.com/v1',
    S3_ENDPOINT: 'http://s3.example.com:9000',
  },
  publisher: {
    GRPC_ADDRESS: '0.0.0.0:4431',
    LIBRARY_ADDRESS: 'library:4421',
    KEYRING: ZEROS,
    PLATFORM_BASE_URL: 'http://127.0.0.1:4460',
    PLATFORM_APPS: '{"x": {"client_id": "sandbox-x", "client_secret": "sandbox-x-secret"}}',
    TIME_SCALE: '0.5',
    DEADLINE_SCALE: '0.5',
  },
  webhooks: {
    GRPC_ADDRESS: '0.0.0.0:4455',
    BASE_URL: 'http://api.example.com',
    CONSOLE_URL: 'http://app.example.com',
    KEYRING: ZEROS,
    FETCH_ALLOWED_ORIGINS: 'http://127.0.0.1:4460',
  },
  analytics: {
    GRPC_ADDRESS: '0.0.0.0:4441',
    PUBLISHER_ADDRESS: 'publisher:4431',
    PLATFORM_BASE_URL: 'http://127.0.0.1:4460',
    TIME_SCALE: '0.5',
  },
  generation: {
    GRPC_ADDRESS: '0.0.0.0:4451',
    CONTENT_ADDRESS: 'content:4411',
    LIBRARY_ADDRESS: 'library:4421',
    LIBRARY_HTTP_URL: 'http://library:4422',
    FETCH_ALLOWED_ORIGINS: 'http://127.0.0.1:4460',
    LANGUAGE_MODEL_KEY: 'sandbox-key',
    IMAGE_MODEL_KEY: 'sandbox-key',
    VIDEO_MODEL_KEY: 'sandbox-key',
    STOCK_PHOTOS_KEY: 'sandbox-key',
    LANGUAGE_MODEL_URL: 'http://models.example.com/v1',
    IMAGE_MODEL_URL: 'http://models.example.com/v1',
    VIDEO_MODEL_URL: 'http://models.example.com/v1',
    STOCK_PHOTOS_URL: 'http://photos.example.com',
  },
};

const loaderOf = async (service: string) =>
  ((await import(path.join(workspaceRoot, `apps/${service}/src/config.ts`))) as { loadConfig: LoadConfig }).loadConfig;

test.each(Object.keys(unfit))('%s starts in production with what is fit for it, on loopback addresses', async (service) => {
  expect((await loaderOf(service))(fit)).toMatchObject({ reflection: false, adminAddress: '127.0.0.1:0' });
});

test.each(Object.keys(unfit))('%s names all that it rejects in production, at once', async (service) => {
  const load = await loaderOf(service);
  const all = { ...inAll, ...unfit[service] };
  for (const name of Object.keys(all)) expect(() => load({ ...fit, ...all })).toThrow(`${name}: `);
});

test.each(Object.entries(unfit).flatMap(([service, env]) => Object.entries({ ...inAll, ...env }).map((one) => [service, ...one] as const)))(
  '%s rejects %s alone in production',
  async (service, name, value) => {
    const load = await loaderOf(service);
    expect(() => load({ ...fit, [name]: value })).toThrow(`${name}: `);
  },
);

/** What a reader of one spelling would overlook. */
const SPELLINGS: readonly (readonly [string, string, string])[] = [
  ['library', 'S3_ENDPOINT', 'HTTP://s3.example.com:9000'],
  ['library', 'SPEECH_TO_TEXT_URL', 'hTTp://models.example.com/v1'],
  ['library', 'SPEECH_TO_TEXT_KEY', ' "sandbox-key"'],
  ['generation', 'LANGUAGE_MODEL_KEY', 'SANDBOX-key'],
  ['content', 'MONGODB_URL', 'mongodb+srv://db.example.com/?TLS=false'],
  ['content', 'MONGODB_URL', 'mongodb://db.example.com/#?tls=true'],
  ['gateway', 'SMTP_URL', 'smtp://user:password@mail.example.com/?requireTLS=false'],
  ['gateway', 'SMTP_URL', 'smtps://mail.example.com/?tls.rejectUnauthorized=false'],
  ['gateway', 'BASE_URL', 'https://user:password@api.example.com'],
  ['gateway', 'BASE_URL', 'https://api.example.com/?x=1'],
  ['gateway', 'BASE_URL', 'https://api.example.com/#x'],
  ['publisher', 'KEYRING', keyOf(Buffer.from(Array.from({ length: 32 }, (_, index) => index)))],
  ['publisher', 'KEYRING', keyOf(Buffer.from('changeme'.repeat(4)))],
  ...Object.keys(unfit).map((service) => [service, 'NODE_TLS_REJECT_UNAUTHORIZED', '0'] as const),
];
test.each(SPELLINGS)('%s rejects %s=%s in production', async (service, name, value) => {
  const load = await loaderOf(service);
  expect(() => load({ ...fit, [name]: value })).toThrow(`${name}: `);
});

test('a sandbox shows what it was sent only to those who develop: another spelling of production is rejected', async () => {
  const load = await loaderOf('sandbox');
  expect(load({ NODE_ENV: 'production' })).toMatchObject({ control: false });
  for (const NODE_ENV of ['Production', 'prod', '']) expect(() => load({ NODE_ENV })).toThrow('NODE_ENV');
});
