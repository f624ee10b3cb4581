import { serviceSpecs, type StackSettings } from './service-specs.ts';

const settings: StackSettings = {
  ports: {
    ...{ api: 1, gatewayGrpc: 2, gatewayAdmin: 3, contentGrpc: 4, contentAdmin: 5, libraryGrpc: 6, libraryHttp: 7, libraryAdmin: 8 },
    ...{
      publisherGrpc: 9,
      publisherAdmin: 10,
      analyticsGrpc: 13,
      analyticsAdmin: 14,
      generationGrpc: 15,
      generationAdmin: 16,
      webhooksGrpc: 17,
      webhooksAdmin: 18,
      sandbox: 11,
      sandboxSmtp: 12,
    },
  },
  infra: { mongoUrl: 'mongodb://127.0.0.1/', kafkaBrokers: ['127.0.0.1:9092'] },
  secrets: { namespace: 'test', keyring: 'k:AAAA', mediaUrlSecret: 'm:AAAA' },
};

const envOf = (name: string, more: Partial<StackSettings>) =>
  serviceSpecs({ ...settings, ...more }).find((one) => one.name === name)?.env ?? {};
const quotasOf = (given?: string) => envOf('publisher', { given: { PLATFORM_BUDGETS: given } })['PLATFORM_BUDGETS'];

test('models and stock photos are those of the sandbox, unless others are configured', () => {
  expect(envOf('generation', {})).toMatchObject({ IMAGE_MODEL_URL: 'http://127.0.0.1:11/openai/v1', STOCK_PHOTOS_KEY: 'sandbox-key' });
  expect(envOf('generation', {})).not.toHaveProperty('LANGUAGE_MODEL_URL');
  expect(envOf('generation', { composer: 'sandbox' })).toHaveProperty('LANGUAGE_MODEL_URL');
  const given = { LANGUAGE_MODEL_URL: 'https://models.example/v1', IMAGE_MODEL_URL: 'https://models.example/v1' };
  const env = envOf('generation', { composer: 'sandbox', given });
  for (const name of ['LANGUAGE_MODEL_URL', 'LANGUAGE_MODEL_KEY', 'IMAGE_MODEL_URL', 'IMAGE_MODEL_KEY'])
    expect(env).not.toHaveProperty(name);
});

test("quotas set in the environment take precedence over the sandbox's; an empty setting counts as unset", () => {
  expect(quotasOf('{"youtube":{"videos_insert":2}}')).toBe('{"youtube":{"videos_insert":2}}');
  expect(quotasOf()).toContain('100000');
  expect(quotasOf('')).toBe(quotasOf());
});
