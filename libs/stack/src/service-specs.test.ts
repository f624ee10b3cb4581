import { serviceSpecs, type StackSettings } from './service-specs.ts';

const settings: StackSettings = {
  ports: {
    ...{ api: 1, gatewayGrpc: 2, gatewayAdmin: 3, contentGrpc: 4, contentAdmin: 5, libraryGrpc: 6, libraryHttp: 7, libraryAdmin: 8 },
    ...{ publisherGrpc: 9, publisherAdmin: 10, analyticsGrpc: 13, analyticsAdmin: 14, sandbox: 11, sandboxSmtp: 12 },
  },
  infra: { mongoUrl: 'mongodb://127.0.0.1/', kafkaBrokers: ['127.0.0.1:9092'] },
  secrets: { namespace: 'test', keyring: 'k:AAAA', mediaUrlSecret: 'm:AAAA' },
};

const quotasOf = (platformQuotas?: string) =>
  serviceSpecs({ ...settings, platformQuotas }).find(({ name }) => name === 'publisher')?.env['PLATFORM_BUDGETS'];

test("the quotas of whoever starts the platform win over the sandbox's; an empty setting counts as none", () => {
  expect(quotasOf('{"youtube":{"videos_insert":2}}')).toBe('{"youtube":{"videos_insert":2}}');
  expect(quotasOf()).toContain('100000');
  expect(quotasOf('')).toBe(quotasOf());
});
