import { randomBytes } from 'node:crypto';
import { oauthOf, type GrantedAccount } from '@fanfare/connectors';
import { fetch } from '@fanfare/runtime/http-client';
import type { Context } from '../context.ts';
import { CANARY_PLATFORM } from './context-for.ts';

/** Nobody is sent there: the code is read from the redirect. */
const REDIRECT_URI = 'https://canary.invalid/callback';
const TIMEOUT_MS = 10_000;

/**
 * Signs in at the sandbox, as a person would: a header of its consent page replaces the click on its button.
 * @param context of the canary
 * @throws Error if the sandbox is unreachable or grants nothing
 */
export async function signIn(context: Context): Promise<readonly GrantedAccount[]> {
  const { config, platforms } = context;
  const [app] = config.platforms.apps.values();
  if (!app) throw new Error('CANARY_SANDBOX_URL is not set.');
  const oauth = oauthOf(CANARY_PLATFORM);
  const page = platforms.publicUrl(oauth.authorizeUrl(app, { redirectUri: REDIRECT_URI, state: randomBytes(16).toString('base64url') }));
  const headers = { 'X-Sandbox-Consent': 'allow' };
  const response = await fetch(page, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const code = new URL(response.headers.get('location') ?? '', REDIRECT_URI).searchParams.get('code');
  if (code === null) throw new Error(`The sandbox's consent page returned ${response.status} without a code.`);
  return oauth.exchangeCode(platforms.http(CANARY_PLATFORM), app, { code, redirectUri: REDIRECT_URI });
}
