// The databases are restored from a backup that was made under load. Posts that were published since look scheduled again: each is on its platform once.
import { copyDatabases, eventually } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, readPost } from '../src/publish.ts';
import { runAdmin } from '../src/run-admin.ts';

const POSTS = 12;

let platform: Platform;
let mongo: MongoClient;
beforeAll(async () => {
  platform = await borrowPlatform(['facebook', 'x']);
  mongo = await new MongoClient(platform.settingsOf('publisher')['MONGODB_URL'] ?? '').connect();
});
afterAll(async () => {
  await mongo.close();
  await platform.stop();
});

const schedule = async (caption: string, inMs: number) =>
  (
    await platform.fanfare.posts.create(platform.tenant.business_id, {
      caption,
      status: 'SCHEDULED',
      scheduled_publish_time: new Date(Date.now() + inMs).toISOString(),
    })
  ).id;
const isEverywhere = async (id: string) => {
  const post = await readPost(platform, id);
  return outcomes(post).join() === 'facebook success,x success' && post.status === 'PUBLISHED';
};

test('what was published after the backup is found, and what is due after the restoration is published, each once', async () => {
  // Due one after the other, before, during and after the backup.
  const ids = new Map<string, string>();
  for (let index = 0; index < POSTS; index++) ids.set(`Backed up ${index}.`, await schedule(`Backed up ${index}.`, 2_000 + index * 400));
  const later = 'Due after the restoration.';
  const far = await schedule(later, 3_600_000);
  await eventually(async () => (await platform.sandbox.posts()).filter(({ text }) => text.startsWith('Backed up')).length >= POSTS / 2);
  const names = (['content', 'publisher'] as const).map((service) => platform.settingsOf(service)['MONGODB_DATABASE'] ?? '');
  const backup = await copyDatabases(mongo, names);
  for (const id of ids.values()) await eventually(() => isEverywhere(id), 60_000);

  await Promise.all([platform.kill('content'), platform.kill('publisher')]);
  await backup.restore();
  await platform.start('publisher', { PAUSE_ON_START: 'true' });
  await platform.start('content');
  const { code, out, err } = await runAdmin(platform, 'restore-fence', '--since', backup.takenAt.toISOString());
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('The fence is lifted') });
  const fence = JSON.parse(out) as Record<string, number>;
  expect(fence).toMatchObject({ checking: 0, absent: 0, unknown: 0 });
  expect(fence['found']).toBeGreaterThan(0);

  for (const [caption, id] of ids) {
    await eventually(() => isEverywhere(id), 60_000);
    const posts = await platform.sandbox.posts(caption);
    expect({ caption, on: posts.map((post) => post.platform).toSorted() }).toEqual({ caption, on: ['facebook', 'x'] });
    const { publish_results: results } = await readPost(platform, id);
    expect(results.map((result) => result.publish_id).toSorted()).toEqual(posts.map((post) => post.id).toSorted());
  }
  await platform.fanfare.posts.publish(platform.tenant.business_id, far);
  await eventually(() => isEverywhere(far), 60_000);
  expect(await platform.sandbox.posts(later)).toHaveLength(2);
});
