import type { Account } from '../src/connector.ts';
import type { LoginName } from '../src/oauth.ts';
import type { PlatformClient } from '../src/platform-client.ts';
import type { Platform } from '../src/platform.ts';
import { accountOf, oauthOf } from '../src/registry.ts';
import { appNameOf, sandboxApp } from '../src/sign-in.ts';

const redirectUri = 'https://app.example/callback';

/**
 * Connects the sandbox's first account of a platform, as a person would.
 * @param client of the sandbox
 * @param options.login other than the platform's default one
 * @param options.scopes of the app, if others than the enabled features need
 * @returns what API calls for the account need
 */
export async function connectAtSandbox(
  client: PlatformClient,
  platform: Platform,
  { login, scopes }: { login?: LoginName | undefined; scopes?: readonly string[] | undefined } = {},
): Promise<Account & { readonly scopes: readonly string[] }> {
  const { client_id: clientId, client_secret: clientSecret } = sandboxApp(appNameOf(platform, login));
  const app = { clientId, clientSecret, ...(login && { login }), ...(scopes && { scopes }) };
  const oauth = oauthOf(platform, login);
  const codeVerifier = 'v'.repeat(64);
  const codeChallenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(codeVerifier))).toString('base64url');
  const page = client.publicUrl(oauth.authorizeUrl(app, { redirectUri, state: 's', ...(oauth.pkce && { codeChallenge }) }));
  const allowed = await fetch(page, { headers: { 'x-sandbox-consent': 'allow' }, redirect: 'manual' });
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const [first] = await oauth.exchangeCode(client.http(platform), app, { code, redirectUri, ...(oauth.pkce && { codeVerifier }) });
  if (!first) throw new Error(`${platform} granted no account.`);
  const { accountId, username, tokens } = first;
  return { ...accountOf(platform, app, { accountId, username, accessToken: tokens.accessToken }), scopes: tokens.scopes };
}
