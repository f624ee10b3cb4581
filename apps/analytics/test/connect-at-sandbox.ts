import { accountOf, createPlatformClient, oauthOf, type Account, type Platform } from '@fanfare/connectors';

const REDIRECT_URI = 'https://app.example/callback';

/**
 * Connects the sandbox's first account of a platform, as a person would.
 * @param scopes of the app, if others than the enabled features need
 * @returns what API calls for the account need
 */
export async function connectAtSandbox(
  sandboxUrl: string,
  platform: Platform,
  scopes?: readonly string[],
): Promise<Account & { readonly scopes: readonly string[] }> {
  const client = createPlatformClient({ baseUrl: sandboxUrl, timeoutMs: 10_000 });
  const app = { clientId: `sandbox-${platform}`, clientSecret: `sandbox-${platform}-secret`, ...(scopes && { scopes }) };
  const oauth = oauthOf(platform);
  const codeVerifier = 'v'.repeat(64);
  const codeChallenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(codeVerifier))).toString('base64url');
  const pkce = oauth.pkce ? { codeChallenge } : {};
  const page = client.publicUrl(oauth.authorizeUrl(app, { redirectUri: REDIRECT_URI, state: 's', ...pkce }));
  const allowed = await fetch(page, { headers: { 'x-sandbox-consent': 'allow' }, redirect: 'manual' });
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const request = { code, redirectUri: REDIRECT_URI, ...(oauth.pkce && { codeVerifier }) };
  const granted = await oauth.exchangeCode(client.http(platform), app, request);
  await client.close();
  const [first] = granted;
  if (!first) throw new Error(`${platform} granted no account.`);
  const { accountId, username, tokens } = first;
  return { ...accountOf(platform, app, { accountId, username, accessToken: tokens.accessToken }), scopes: tokens.scopes };
}
