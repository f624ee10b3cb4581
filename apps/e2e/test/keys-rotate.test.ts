// An operator rotates the publisher's key, step by step, with the operators' command.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createKeyring } from '@fanfare/runtime';
import { MongoClient } from 'mongodb';
import { startPlatform, type Platform } from '../src/platform.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const aKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey] = [aKey('old'), aKey('new')];

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ publisher: { KEYRING: `${oldKey},${newKey}` } });
}, 240_000);
afterAll(() => platform.stop());

async function restart(keyring: string): Promise<void> {
  await platform.terminate('publisher');
  await platform.start('publisher', { KEYRING: keyring });
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function admin(...args: string[]): Promise<Ran> {
  const addressOf = (service: 'gateway' | 'content' | 'publisher', name: string) => platform.settingsOf(service)[name] ?? '';
  const env = {
    ...process.env,
    GATEWAY_ADMIN_ADDRESS: addressOf('gateway', 'ADMIN_GRPC_ADDRESS'),
    CONTENT_ADDRESS: addressOf('content', 'GRPC_ADDRESS'),
    PUBLISHER_ADDRESS: addressOf('publisher', 'GRPC_ADDRESS'),
  };
  const child = spawn(process.execPath, ['apps/dev/bootstrap.mjs', 'admin', ...args], { cwd: root, env });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}

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
  await restart(`${newKey},${oldKey}`);
  const before = await admin('keys', 'status');
  expect(JSON.parse(before.out)).toMatchObject([
    { key_id: 'new', secrets: 0 },
    { key_id: 'old', secrets: 3 },
  ]);

  const rotated = await admin('keys', 'rotate');
  expect({ code: rotated.code, report: JSON.parse(rotated.out) as unknown }).toMatchObject({
    code: 0,
    report: { key_id: 'new', resealed: 3, current: 0, unreadable: [], safe_to_drop: ['old'] },
  });
  expect(rotated.out).toContain('safe to remove');
  expect(rotated.err).toContain('3 re-encrypted with "new"');
  expect(JSON.parse((await admin('keys', 'rotate')).out)).toMatchObject({ resealed: 0, current: 3 });

  await restart(newKey);
  const x = platform.integrations['x'] ?? '';
  const own = `/api/businesses/${platform.tenant.business_id}`;
  expect(await platform.api('POST', `${own}/integrations/${x}/refresh`)).toMatchObject({ status: 200, body: { status: 'connected' } });

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
}, 240_000);
