// A person removes our app at Facebook and Instagram, or requests the deletion of their data: what Meta's own call changes.
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import type { Api } from '../src/api.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { publish, untilTerminal } from '../src/publish.ts';

interface Integration {
  readonly id: string;
  readonly platform: string;
  readonly account_id: string;
  readonly username: string;
  readonly status: string;
  readonly last_error: string | null;
  readonly reconnect_url: string | null;
}
interface Removal {
  readonly revoked_grants: number;
  readonly notified: readonly { readonly url: string; readonly status: number; readonly response: Record<string, string> }[];
}

let platform: Platform;
let api: Api;
let own: string;
beforeAll(async () => {
  platform = await borrowPlatform();
  ({ api } = platform);
  own = `/api/businesses/${platform.tenant.business_id}`;
});
afterAll(() => platform.stop());

async function control<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${platform.sandbox.url}/_control${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
}
/** What the person clicks at "Apps and websites". */
const remove = (app: string, deleteData: boolean) => control<Removal>(`/apps/sandbox-${app}/remove`, { delete_data: deleteData });
const read = async (id: string) => (await api<Integration>('GET', `${own}/integrations/${id}`)).body;

const reconnect = ({ id, platform: name, account_id }: Integration) => connect(account_id, { platform: name, integration_id: id });

async function connect(accountId: string, request: { platform: string; integration_id?: string }): Promise<unknown> {
  const begun = await api<{ authorize_url: string }>('POST', `${own}/integrations/connect`, request);
  const headers = { 'X-Sandbox-Consent': 'allow', 'X-Sandbox-Account': accountId };
  const page = await fetch(begun.body.authorize_url, { headers, redirect: 'manual' });
  return (await fetch(page.headers.get('location') ?? '', { headers: { accept: 'application/json' } })).json();
}

test('an account whose person removed our app reports that, and where to reconnect it', async () => {
  const id = platform.integrations['facebook'] ?? '';
  expect(await remove('facebook', false)).toMatchObject({ notified: [{ status: 200, response: {} }] });
  const expired = await read(id);
  expect(expired).toMatchObject({ status: 'expired', reconnect_url: expect.stringContaining(id) as string });
  expect(expired.last_error).toContain('removed');
  expect((await read(platform.integrations['instagram'] ?? '')).status).toBe('connected');
  // Posts published meanwhile report why they were not sent there.
  const postId = await publish(platform, { caption: 'To nobody', restrict_publish_to_integration_ids: [id] });
  expect((await untilTerminal(platform, postId)).publish_results).toMatchObject([{ status: 'failed', error_type: 'token_expired' }]);
  expect(await reconnect(expired)).toMatchObject({ status: 'connected' });
  expect(await read(id)).toMatchObject({ status: 'connected', last_error: null });
});

test('a person who requests it is erased, and can read that', async () => {
  // No other account has this name: whatever has it is about this person.
  const username = `person_${newId().replaceAll('-', '')}`;
  const account = await control<{ id: string }>('/accounts', { platform: 'instagram', username, name: 'A person' });
  await connect(account.id, { platform: 'instagram' });
  const { items } = (await api<{ items: Integration[] }>('GET', `${own}/integrations`)).body;
  const id = items.find((one) => one.username === username)?.id ?? '';
  expect(await stored(username)).toBe(true);
  const { notified } = await remove('instagram', true);
  const request = notified.find(({ url }) => url.endsWith('/data-deletion'));
  expect(request).toMatchObject({ status: 200, response: { confirmation_code: expect.any(String) as string } });
  expect((await api('GET', `${own}/integrations/${id}`)).status).toBe(404);
  expect((await api<{ items: Integration[] }>('GET', `${own}/integrations`)).body.items.map((one) => one.id)).not.toContain(id);
  await eventually(async () => !(await stored(username)));

  const page = await fetch(request?.response['url'] ?? '', { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const text = await page.text();
  expect(text).toContain(request?.response['confirmation_code']);
  for (const foreign of [platform.tenant.organization_id, platform.tenant.business_id, id, username]) expect(text).not.toContain(foreign);

  const again = await remove('instagram', true);
  expect(again.notified.find(({ url }) => url.endsWith('/data-deletion'))?.response).toEqual(request?.response);
});

test("requests about a person without Meta's signature are rejected", async () => {
  for (const path of ['deauthorize', 'data-deletion']) {
    const body = new URLSearchParams({ signed_request: `${'A'.repeat(43)}.eyJ1c2VyX2lkIjoiMTAxNTAwMDAwMDAwMDAwMDEifQ` });
    const response = await fetch(`${platform.baseUrl}/api/integrations/meta/${path}`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request', param: 'signed_request' });
  }
});

/** Whether any of our databases contains it anywhere. Events that Kafka has are no longer in the outbox. */
async function stored(text: string): Promise<boolean> {
  const { MONGODB_URL = '', MONGODB_DATABASE = '' } = platform.settingsOf('publisher');
  const client = await new MongoClient(MONGODB_URL).connect();
  try {
    for (const service of ['publisher', 'content', 'gateway', 'library']) {
      const db = client.db(MONGODB_DATABASE.replace(/publisher$/, service));
      for (const { name } of await db.listCollections().toArray()) {
        if (JSON.stringify(await db.collection(name).find().toArray()).includes(text)) return true;
      }
    }
    return false;
  } finally {
    await client.close();
  }
}
