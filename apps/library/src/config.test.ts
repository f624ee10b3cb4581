import { randomBytes } from 'node:crypto';
import { loadConfig } from './config.ts';

const env = {
  PUBLIC_BASE_URL: 'https://api.example.com/',
  INTERNAL_BASE_URL: 'http://127.0.0.1:4422',
  MEDIA_URL_SECRET: `k1:${randomBytes(32).toString('base64')}`,
};

test('reads what it needs', () => {
  const { urls, mongo } = loadConfig(env);
  expect(urls).toMatchObject({ publicBaseUrl: 'https://api.example.com', internalBaseUrl: 'http://127.0.0.1:4422' });
  expect([...urls.keys.keys()]).toEqual(['k1']);
  expect(mongo.database).toBe('fanfare_library');
});

test.each([
  ['PUBLIC_BASE_URL', ''],
  ['INTERNAL_BASE_URL', 'ftp://library'],
  ['MEDIA_URL_SECRET', 'k1:c2hvcnQ='],
  ['MEDIA_URL_SECRET', Buffer.alloc(32, 1).toString('base64')],
  ['MEDIA_URL_SECRET', `${env.MEDIA_URL_SECRET},${env.MEDIA_URL_SECRET}`],
])('%s cannot be "%s", and the error does not have the value', (name, value) => {
  const load = () => loadConfig({ ...env, [name]: value });
  expect(load).toThrow(name);
  if (value !== '') expect(load).not.toThrow(value);
});

test('origins that are not public are for development only', () => {
  const open = { ...env, FETCH_ALLOWED_ORIGINS: 'http://127.0.0.1:4010' };
  expect(loadConfig({ ...open, NODE_ENV: 'development' }).fetchAllowedOrigins).toEqual(['http://127.0.0.1:4010']);
  for (const NODE_ENV of ['production', '', undefined]) {
    expect(() => loadConfig({ ...open, NODE_ENV })).toThrow('FETCH_ALLOWED_ORIGINS');
    expect(loadConfig({ ...env, NODE_ENV }).fetchAllowedOrigins).toEqual([]);
  }
});

test('production has an https address and a secret that is one', () => {
  const unfit = { ...env, PUBLIC_BASE_URL: 'http://api.example.com', MEDIA_URL_SECRET: `k1:${Buffer.alloc(32).toString('base64')}` };
  for (const name of ['PUBLIC_BASE_URL', 'MEDIA_URL_SECRET']) expect(() => loadConfig(unfit)).toThrow(`${name}: `);
  expect(loadConfig({ ...unfit, NODE_ENV: 'test' }).urls.publicBaseUrl).toBe('http://api.example.com');
});

test('blobs are kept in GridFS unless a bucket is named', () => {
  expect(loadConfig(env).blobs).toEqual({ s3: undefined, presign: false, fallback: undefined });
  const { s3 } = loadConfig({
    ...env,
    S3_BUCKET: 'media',
    S3_ACCESS_KEY_ID: 'k',
    S3_SECRET_ACCESS_KEY: 's',
    S3_ENDPOINT: 'https://minio:9000/',
  }).blobs;
  expect(s3).toEqual({
    bucket: 'media',
    endpoint: 'https://minio:9000',
    region: 'us-east-1',
    credentials: { accessKeyId: 'k', secretAccessKey: 's' },
  });
});

test.each([
  [{ S3_BUCKET: 'media', S3_ACCESS_KEY_ID: 'k' }, 'S3_SECRET_ACCESS_KEY'],
  [{ S3_PRESIGN: 'true' }, 'S3_BUCKET'],
  [{ BLOBS_FALLBACK: 'grid-fs' }, 'S3_BUCKET'],
])('%o is half of a setting', (half, name) => {
  expect(() => loadConfig({ ...env, ...half })).toThrow(name);
});
