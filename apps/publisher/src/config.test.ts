import { randomBytes } from 'node:crypto';
import { APP_NAMES, connectors } from '@fanfare/connectors';
import { loadConfig } from './config.ts';

const env = { KEYRING: `test:${randomBytes(32).toString('base64')}`, PLATFORM_APPS: '{"x": {"client_id": "1", "client_secret": "2"}}' };

test('reads the platform quotas that operators set', () => {
  const PLATFORM_BUDGETS = '{"youtube": {"videos_insert": 1000}, "x": {"spend_millidollars": 50000}}';
  expect(loadConfig({ ...env, PLATFORM_BUDGETS }).quotas).toEqual({
    youtube: { videos_insert: 1_000 },
    x: { spend_millidollars: 50_000 },
  });
  expect(loadConfig(env).quotas).toEqual({});
});

test.each([
  ['{"youtube": {"uploads": 1}}', 'youtube has no quota with this name; it has videos_insert'],
  ['{"pinterest": {"pins": 1}}', 'pinterest has no quota with this name; it has reads'],
  ['{"youtube": {"videos_insert": 0}}', 'videos_insert'],
  ['{"youtube": {"videos_insert": "many"}}', 'videos_insert'],
  ['{"myspace": {"posts": 1}}', 'myspace'],
  ['many', 'must be JSON'],
])('rejects %s and says why', (PLATFORM_BUDGETS, message) => {
  expect(() => loadConfig({ ...env, PLATFORM_BUDGETS })).toThrow(message);
});

test('reads our apps: one for each platform, and one for Instagram Login', () => {
  const app = { client_id: '1', client_secret: '2', scopes: ['a'] };
  const { apps } = loadConfig({ ...env, PLATFORM_APPS: JSON.stringify({ instagram: app, instagram_login: app }) }).platforms;
  expect(Object.fromEntries(apps)).toEqual({
    instagram: { clientId: '1', clientSecret: '2', scopes: ['a'] },
    instagram_login: { login: 'instagram', clientId: '1', clientSecret: '2', scopes: ['a'] },
  });
  expect(() => loadConfig({ ...env, PLATFORM_APPS: JSON.stringify({ facebook_login: app }) })).toThrow('PLATFORM_APPS');
});

test('`sandbox` means the apps that the sandbox has from the start, except in production', () => {
  const { apps } = loadConfig({ ...env, NODE_ENV: 'development', PLATFORM_APPS: 'sandbox' }).platforms;
  expect([...apps.keys()].sort()).toEqual([...APP_NAMES].sort());
  expect(apps.get('google_business')).toEqual({ clientId: 'sandbox-google_business', clientSecret: 'sandbox-google_business-secret' });
  expect(apps.get('instagram_login')).toMatchObject({ login: 'instagram', clientId: 'sandbox-instagram-login' });
  expect(() => loadConfig({ ...env, PLATFORM_APPS: 'sandbox' })).toThrow('PLATFORM_APPS: contains an app of the sandbox');
  expect(() => loadConfig({ ...env, PLATFORM_APPS: 'sandboxes' })).toThrow('PLATFORM_APPS: must be JSON, or "sandbox"');
});

test('uses the LinkedIn version of the connector unless the operator sets another', () => {
  expect(loadConfig({ ...env, LINKEDIN_VERSION: '' }).apiVersions).toEqual({ linkedin: connectors.linkedin.apiVersion?.version });
  expect(loadConfig({ ...env, LINKEDIN_VERSION: '202611' }).apiVersions).toEqual({ linkedin: '202611' });
  for (const LINKEDIN_VERSION of ['2026-11', '202613', '202600', 'latest', '20261101']) {
    expect(() => loadConfig({ ...env, LINKEDIN_VERSION })).toThrow('LINKEDIN_VERSION: must be a year and a month, such as 202609');
  }
});

test('production rejects sandbox apps and shortened times', () => {
  const unfit = {
    PLATFORM_BASE_URL: 'http://127.0.0.1:4460',
    PLATFORM_APPS: '{"x": {"client_id": "sandbox-x", "client_secret": "sandbox-x-secret"}}',
    KEYRING: `test:${Buffer.alloc(32).toString('base64')}`,
    TIME_SCALE: '0.5',
    DEADLINE_SCALE: '0.5',
  };
  for (const name of Object.keys(unfit)) expect(() => loadConfig(unfit)).toThrow(`${name}: `);
  expect(loadConfig({ ...unfit, NODE_ENV: 'development' })).toMatchObject({ timeScale: 0.5, deadlineScale: 0.5 });
  for (const name of ['TIME_SCALE', 'DEADLINE_SCALE']) expect(() => loadConfig({ ...env, NODE_ENV: 'test', [name]: '0.5' })).toThrow(name);
  expect(loadConfig({ ...unfit, NODE_ENV: 'test', DEADLINE_SCALE: '100' })).toMatchObject({ deadlineScale: 100 });
  expect(() => loadConfig({ ...unfit, NODE_ENV: 'test', TIME_SCALE: '10' })).toThrow('TIME_SCALE');
});
