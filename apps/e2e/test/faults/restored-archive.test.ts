// The scripts of deploy/backup on a real replica set: it is backed up under load, and everything is lost. What they restore into an empty one publishes no post twice.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { startOwnServer, type OwnServer } from '../../src/own-server.ts';
import { startPlatform, type Platform } from '../../src/platform.ts';
import { outcomes, publish, readPost, untilTerminal } from '../../src/publish.ts';
import { runAdmin } from '../../src/run-admin.ts';
import { progress } from './options.ts';

const SCRIPTS = path.resolve(import.meta.dirname, '../../../../deploy/backup');
const PLATFORMS = ['facebook', 'x'];
/** So many posts are there when the backup begins, and as many follow it. */
const POSTS = 40;
const CUSTOMERS = 3;
/** All that use the databases, and in which order they start after a restoration. */
const SERVICES = ['publisher', 'content', 'library', 'webhooks', 'analytics', 'generation', 'gateway'] as const;
const FIRST = SERVICES.slice(0, 4);

let mongo: OwnServer;
let platform: Platform;
let backups: string;
beforeAll(async () => {
  mongo = await startOwnServer('mongo');
  backups = mkdtempSync(path.join(os.tmpdir(), 'fanfare-backups-'));
  platform = await startPlatform({}, { ...testInfrastructure(), mongoUrl: mongo.address.mongoUrl });
}, 300_000);
afterAll(async () => {
  await platform?.stop();
  await mongo?.end();
  rmSync(backups, { recursive: true });
});

/** @returns what it prints @throws Error with its errors unless it exits with 0; the scripts need mongodump and mongorestore on the PATH */
function script(name: 'backup.sh' | 'restore-database.sh', argument: string): Promise<string> {
  const child = spawn(path.join(SCRIPTS, name), [argument], { env: { ...process.env, MONGODB_URL: mongo.address.mongoUrl } });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.once('close', (code) => (code === 0 ? resolve(texts.out) : reject(new Error(`${name}: ${texts.err}`)))),
  );
}

interface Sent {
  readonly caption: string;
  readonly id: string;
  readonly acceptedAt: number;
}

/** Customers who publish one post after the other, and give up when nothing responds. */
function startLoad() {
  const accepted: Sent[] = [];
  const captions: string[] = [];
  let isOver = false;
  const customer = async () => {
    while (!isOver) {
      const caption = `Load ${captions.length}.`;
      captions.push(caption);
      // What is repeated after the loss would be published anew.
      const { fanfare, tenant } = platform;
      try {
        const { id } = await fanfare.posts.create(tenant.business_id, { caption, restrict_publish_to: ['facebook', 'x'] });
        await fanfare.posts.publish(tenant.business_id, id);
        accepted.push({ caption, id, acceptedAt: Date.now() });
      } catch (error) {
        if (!isOver) throw error;
      }
    }
  };
  const customers = Promise.all(Array.from({ length: CUSTOMERS }, customer));
  customers.catch(() => undefined);
  return {
    accepted,
    captions,
    async end(lose: () => Promise<void>) {
      isOver = true;
      await lose();
      await customers;
    },
  };
}

const countOf = async (caption: string) => {
  const found = await platform.sandbox.posts(caption);
  return PLATFORMS.map((name) => found.filter((post) => post.platform === name).length);
};
const lose = async () => {
  await Promise.all(SERVICES.map((name) => platform.kill(name)));
};

test('a backup is made under load, everything is lost, and no post is published twice', async () => {
  const later = 'Due after the restoration.';
  const scheduled_publish_time = new Date(Date.now() + 3_600_000).toISOString();
  const { id: far } = await platform.fanfare.posts.create(platform.tenant.business_id, {
    ...{ caption: later, status: 'SCHEDULED', scheduled_publish_time, restrict_publish_to: ['facebook', 'x'] },
  });
  const load = startLoad();
  await eventually(() => load.accepted.length >= POSTS, 120_000);
  const began = Date.now();
  await script('backup.sh', backups);
  const ended = Date.now();
  const [archive = ''] = readdirSync(backups);
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^fanfare-.*\.archive\.gz$/)]);
  progress(`backed up with ${load.accepted.length} posts`);
  await eventually(() => load.accepted.length >= 2 * POSTS, 120_000);
  await load.end(lose);
  const until = new Date().toISOString();
  await mongo.end();
  progress(`everything is lost, with ${load.accepted.length} posts`);

  await mongo.start();
  const since = (await script('restore-database.sh', path.join(backups, archive))).trim().split('\n').at(-1) ?? '';
  // A second of the oplog, which an idle MongoDB writes to every ten seconds.
  expect(Date.parse(since)).toBeLessThanOrEqual(ended);
  expect(Date.parse(since)).toBeGreaterThan(began - 15_000);
  for (const name of FIRST) await platform.start(name, name === 'publisher' ? { PAUSE_ON_START: 'true' } : {});
  const { code, out, err } = await runAdmin(platform, 'restore-fence', '--since', since, '--until', until);
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('The fence is lifted') });
  progress(`restored: ${out.trim().replaceAll(/\s+/g, ' ')}`);
  for (const name of SERVICES.filter((one) => !FIRST.includes(one))) await platform.start(name);

  // What the backup has is published, or nobody can know.
  const known = load.accepted.filter(({ acceptedAt }) => acceptedAt < began);
  expect(known.length).toBeGreaterThanOrEqual(POSTS);
  for (const { caption, id } of known) {
    const results = outcomes(await untilTerminal(platform, id));
    const counts = await countOf(caption);
    for (const [index, name] of PLATFORMS.entries())
      expect([caption, results[index], counts[index]]).toEqual([
        caption,
        expect.stringMatching(`^${name} (success|failed unknown_outcome)$`),
        results[index] === `${name} success` ? 1 : expect.any(Number),
      ]);
  }
  const publishAt = await publish(platform, { caption: 'Afterwards.', restrict_publish_to: ['facebook', 'x'] });
  expect(outcomes(await untilTerminal(platform, publishAt))).toEqual(['facebook success', 'x success']);
  await platform.fanfare.posts.publish(platform.tenant.business_id, far);
  expect(outcomes(await untilTerminal(platform, far))).toEqual(['facebook success', 'x success']);
  for (const caption of [...load.captions, later, 'Afterwards.'])
    expect([caption, (await countOf(caption)).filter((count) => count > 1)]).toEqual([caption, []]);
  expect((await readPost(platform, far)).status).toBe('PUBLISHED');
}, 600_000);

test('the same backup, restored again over what followed, is fenced again', async () => {
  await lose();
  const [archive = ''] = readdirSync(backups);
  await script('restore-database.sh', path.join(backups, archive));
  const client = await new MongoClient(mongo.address.mongoUrl).connect();
  const db = client.db(platform.settingsOf('publisher')['MONGODB_DATABASE']);
  const fences = await db.collection('restore_fences').find().toArray();
  await client.close();
  // One that is lifted would let everything continue at once.
  expect(fences).toEqual([]);
});
