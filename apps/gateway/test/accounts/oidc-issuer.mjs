// A real OpenID Connect provider in a process of its own, for oidc.test.ts. The parent process sets by message which account signs in, without any page.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const { CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env;
const accounts = new Map();
let atTheBrowser = null;

const server = createServer().listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [REDIRECT_URI] }],
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
  });
  const respond = provider.callback();

  server.on('request', async (request, response) => {
    if (!request.url.startsWith('/interaction/')) return respond(request, response);
    if (atTheBrowser === null) return provider.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new provider.Grant({ accountId: atTheBrowser, clientId: CLIENT_ID });
    grant.addOIDCScope('openid email profile');
    const result = { login: { accountId: atTheBrowser }, consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  });
  process.on('message', (account) => {
    atTheBrowser = account?.sub ?? null;
    if (account) accounts.set(account.sub, account);
    process.send({ seated: atTheBrowser });
  });
  process.on('disconnect', () => process.exit());
  process.send({ issuer });
});
