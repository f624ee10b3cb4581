// An operator rotates the key of the publisher and of webhooks, step by step, with the operators' command.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createKeyring } from '@fanfare/runtime';
import { MongoClient } from 'mongodb';
import { runAdmin } from '../src/run-admin.ts';
import { startPlatform, type Platform } from '../src/platform.ts';

const aKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey] = [aKey('old'), aKey('new')];

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ publisher: { KEYRING: `${oldKey},${newKey}` }, webhooks: { KEYRING: `${oldKey},${newKey}` } });
});
afterAll(() => platform.stop());

async function restart(keyring: string): Promise<void> {
  for (const service of ['publisher', 'webhooks'] as const) {
    await platform.terminate(service);
    await platform.start(service, { KEYRING: keyring });
  }
}

const admin = (...args: string[]) => runAdmin(platform, ...args);

async function inPublisher<T>(work: (tokens: ReturnType<typeof tokensIn>) => Promise<T>): Promise<T> {
  const { MONGODB_URL = '', MONGODB_DATABASE = '' } = platform.settingsOf('publisher');
  const client = await new MongoClient(MONGODB_URL).connect();
  try {
    return await work(tokensIn(client, MONGODB_DATABASE));
  } finally {
    await client.close();
  }
}
const tokensIn = (client: MongoClient, database: string) => client.db(database).collection<{ _id: string; tokens: string }>('integrations');

test('a new key takes over while posts are published, and the command reports when the old one can be removed', async () => {
  const webhook = await platform.fanfare.webhooks.create({ url: 'https://example.com/', events: ['webhook.disabled'] });
  await restart(`${newKey},${oldKey}`);
  const before = await admin('keys', 'status');
  expect(JSON.parse(before.out)).toMatchObject({
    publisher: [
      { key_id: 'new', secrets: 0 },
      { key_id: 'old', secrets: 3 },
    ],
    webhooks: [
      { key_id: 'new', secrets: 0 },
      { key_id: 'old', secrets: 1 },
    ],
  });

  const rotated = await admin('keys', 'rotate');
  expect({ code: rotated.code, report: JSON.parse(rotated.out) as unknown }).toMatchObject({
    code: 0,
    report: { key_id: 'new', resealed: 4, current: 0, unreadable: [], safe_to_drop: ['old'] },
  });
  expect(rotated.out).toContain('safe to remove');
  expect(rotated.err).toContain('4 re-encrypted with "new"');
  expect(JSON.parse((await admin('keys', 'rotate')).out)).toMatchObject({ resealed: 0, current: 4 });

  await restart(newKey);
  const x = platform.integrations['x'] ?? '';
  const own = `/api/businesses/${platform.tenant.business_id}`;
  expect(await platform.api('POST', `${own}/integrations/${x}/refresh`)).toMatchObject({ status: 200, body: { status: 'connected' } });

  expect((await platform.fanfare.webhooks.rotateSecret(webhook.id)).secret).toMatch(/^whsec_/);

  // A secret that cannot be decrypted fails the command, is named, and stays unchanged.
  const [lost, sealed] = await inPublisher(async (integrations) => {
    const tokens = `lost.${randomBytes(60).toString('base64url')}`;
    await integrations.updateOne({ _id: x }, { $set: { tokens } });
    return [tokens, (await integrations.find().toArray()).map((one) => one.tokens)] as const;
  });
  const incomplete = await admin('keys', 'rotate');
  expect(incomplete.code).toBe(1);
  expect(JSON.parse(incomplete.out)).toMatchObject({ unreadable: [{ collection: 'integrations', id: x, key_id: 'lost' }] });
  expect(incomplete.err).toContain('cannot be decrypted');
  expect(await inPublisher((integrations) => integrations.findOne({ _id: x }))).toMatchObject({ tokens: lost });

  // No output shows a token, encrypted or not, or a key.
  const said = [before, rotated, incomplete].map(({ out, err }) => out + err).join('') + readFileSync(platform.logOf('publisher'), 'utf8');
  const secrets = [...sealed.map((text) => text.split('.')[1] ?? ''), ...[oldKey, newKey].map((key) => key.split(':')[1] ?? ''), 'sbx'];
  for (const secret of secrets) expect(said).not.toContain(secret);

  const made = JSON.parse((await admin('keys', 'generate', '--id', 'next')).out) as { keyring_entry: string };
  expect(createKeyring(`${newKey},${made.keyring_entry}`).keyIds).toEqual(['new', 'next']);
});
