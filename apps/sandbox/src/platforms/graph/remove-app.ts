import { createHmac } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { request } from '@fanfare/runtime/http-client';
import type { PretendApp } from '../../config.ts';
import { atMost } from '../../media/pull.ts';
import type { Grant } from '../../world/credentials.ts';
import type { Sandbox } from '../platform.ts';
import { fieldsOfApp } from './app-fields.ts';
import { person } from './person.ts';

/** The app's response to the callback. */
export interface Notified {
  url: string;
  status: number | null;
  response: unknown;
}

export interface Removal {
  revoked_grants: number;
  notified: Notified[];
}

const timeoutMs = 20_000;
const maxResponseBytes = 64 * 1024;

/**
 * A person removes an app in their settings ("Apps and websites"): its grants end, and it is notified by a signed request. With
 * `deleteData` the person also requests that the app deletes their data.
 */
export async function removeApp({ world }: Sandbox, app: PretendApp, deleteData: boolean): Promise<Removal> {
  const granted = [...world.grants.values()].filter((one) => one.client_id === app.client_id && !one.revoked);
  for (const one of granted) one.revoked = true;
  world.touched();
  const users = new Set(granted.map(userOf));
  // A person who has removed the app before can also request deletion.
  if (users.size === 0) users.add(person.id);
  const { deauthorize_url, data_deletion_url } = fieldsOfApp(app);
  const urls = [deauthorize_url, ...(deleteData ? [data_deletion_url] : [])].filter((url) => url !== undefined);
  const notified: Notified[] = [];
  for (const userId of users) for (const url of urls) notified.push(await notify(url, signedRequest(app, userId, world.now())));
  return { revoked_grants: granted.length, notified };

  /** With Facebook Login the user is the person; with Instagram Login it is the account. */
  function userOf({ account_ids }: Grant): string {
    const accounts = account_ids.map((id) => world.accounts.get(id));
    return accounts.some((one) => one?.platform === 'facebook') ? person.id : (account_ids[0] ?? person.id);
  }
}

/** developers.facebook.com/docs/facebook-login/guides/advanced/existing-system: signature, dot, payload, both base64url without padding. */
export function signedRequest(app: Pick<PretendApp, 'client_secret'>, userId: string, nowMs: number): string {
  const said = { user_id: userId, algorithm: 'HMAC-SHA256', issued_at: Math.floor(nowMs / 1000) };
  const payload = Buffer.from(JSON.stringify(said)).toString('base64url');
  return `${createHmac('sha256', app.client_secret).update(payload).digest('base64url')}.${payload}`;
}

async function notify(url: string, signed: string): Promise<Notified> {
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' },
      body: new URLSearchParams({ signed_request: signed }).toString(),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const text = (await buffer(atMost(body, maxResponseBytes))).toString('utf8');
    return { url, status: statusCode, response: parsed(text) };
  } catch (error) {
    return { url, status: null, response: error instanceof Error ? error.message : String(error) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
