import { randomBytes } from 'node:crypto';
import { loadConfig } from './config.ts';

const fit = { BASE_URL: 'https://api.example.com', KEYRING: `k1:${randomBytes(32).toString('base64')}` };

test('production starts with what is fit for it', () => {
  expect(loadConfig({ ...fit, TRUSTED_PROXIES: '10.0.0.0/8', CONSOLE_URL: 'https://app.example.com' }).baseUrl).toBe(fit.BASE_URL);
});

const unfit = {
  BASE_URL: 'http://127.0.0.1:4400',
  CONSOLE_URL: 'http://app.example.com',
  TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0',
  CONNECT_RETURN_URLS: 'https://a.example/,http://b.example/',
  OIDC_ISSUER: 'http://id.example.com',
  OIDC_ALLOWED_ORIGINS: 'http://id.example.com',
  KEYRING: `k1:${randomBytes(32).toString('base64')},k2:${Buffer.alloc(32).toString('base64')}`,
  DEV_MAIL_URL: 'http://127.0.0.1:4460/_dev/mail',
};
const oidc = { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' };

test.each([undefined, '', 'production', 'staging', 'Development'])('with NODE_ENV %s it names all that is not, at once', (NODE_ENV) => {
  const load = () => loadConfig({ ...unfit, ...oidc, NODE_ENV });
  for (const name of Object.keys(unfit)) expect(load).toThrow(`${name}: `);
  expect(load).toThrow('NODE_ENV');
  for (const value of [unfit.KEYRING, unfit.CONSOLE_URL]) expect(load).not.toThrow(value);
});

test.each(['development', 'test'])('%s may have all of it', (NODE_ENV) => {
  expect(loadConfig({ ...unfit, ...oidc, NODE_ENV }).mail.devInboxUrl).toBe(unfit.DEV_MAIL_URL);
});

test('a keyring that is missing or no keyring is rejected everywhere, and so is half of a provider', () => {
  for (const KEYRING of ['', 'k1:c2hvcnQ=', `${fit.KEYRING},${fit.KEYRING}`]) {
    expect(() => loadConfig({ ...fit, KEYRING, NODE_ENV: 'test' })).toThrow('KEYRING: ');
  }
  expect(() => loadConfig({ ...fit, OIDC_CLIENT_ID: 'id' })).toThrow('OIDC_ISSUER');
});
