import { PLATFORMS } from '@fanfare/connectors/platform';
import type { Post } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, untilTerminal, untilUnpublished } from '../src/publish.ts';

let platform: Platform;
let business: string;
beforeAll(async () => {
  platform = await borrowPlatform(PLATFORMS);
  business = `/api/businesses/${platform.tenant.business_id}`;
});
afterAll(() => platform.stop());

interface Job {
  job_id: string;
  status: string;
  error: string | null;
  credits: number;
  progress: { step: string };
  data: { post_id: string; rendered_urls: string[] }[];
}

const TEXT =
  'Our sourdough rests for a whole day before it goes into the oven. We open at seven every morning except Monday. The flour comes from a mill in Alentejo.';
const generate = async (body: Record<string, unknown>): Promise<Job> => {
  const { status, body: job } = await platform.api<Job & Record<string, unknown>>('POST', `${business}/posts/generate`, {
    content: TEXT,
    ...body,
  });
  expect(status).toBe(202);
  return job;
};
/** @throws Error while generation is unavailable; callers wait and retry, as a client does after a 500 */
const read = async ({ job_id: id }: Job): Promise<Job> => {
  const { status, body } = await platform.api<Job & Record<string, unknown>>('GET', `${business}/jobs/${id}`);
  if (status !== 200) throw new Error(`Reading the job returned ${status}.`);
  return body;
};
const ended = (job: Job): Promise<Job> =>
  eventually(async () => {
    const now = await read(job);
    return now.status !== 'pending' && now;
  });

test('generate, poll, edit, publish to eight platforms, unpublish, and webhooks send the same as GET', async () => {
  const url = `${platform.sandbox.url}/_webhooks/eight`;
  await platform.fanfare.webhooks.create({ url, events: ['post.published', 'post.unpublished'] });
  const job = await ended(await generate({ creative_formats: ['video'], aspect_ratio: '9:16' }));
  expect(job).toMatchObject({ status: 'completed', error: null, credits: 1, data: [{ rendered_urls: [expect.any(String)] }] });
  const path = `${business}/posts/${job.data[0]?.post_id}`;
  const { body: draft } = await platform.api('GET', path);
  expect(draft).toMatchObject({ status: 'NEW', media_details: [{ type: 'video' }], cover_media_id: expect.any(String) });
  const edit = {
    caption: 'Slow bread, made by a machine that cannot bake.',
    platform_overrides: [
      { platform: 'tiktok', options: { privacy_level: 'PUBLIC_TO_EVERYONE' } },
      { platform: 'pinterest', title: 'Slow bread', options: { board_id: await aBoard() } },
      { platform: 'youtube', title: 'Slow bread' },
      // Does not accept videos: it gets the cover.
      { platform: 'google_business', media_ids: [draft['cover_media_id']] },
    ],
  };
  expect(await platform.api('PATCH', path, edit)).toMatchObject({ status: 200, body: { caption: edit.caption } });
  const others = new Set((await platform.sandbox.posts()).map(({ id }) => id));
  expect((await platform.api('POST', `${path}/publish`, {})).status).toBe(202);
  const post = await untilTerminal(platform, job.data[0]?.post_id ?? '');
  expect(outcomes(post).sort()).toEqual(
    ['facebook', 'google_business', 'instagram', 'linkedin', 'linkedin', 'pinterest', 'tiktok', 'x', 'youtube'].map(
      (name) => `${name} success`,
    ),
  );
  const [webhook] = await eventually(async () => {
    const all = await platform.sandbox.webhooks('eight');
    return all.length > 0 && all;
  });
  expect(JSON.parse(webhook?.body ?? '')).toMatchObject({ type: 'post.published', data: asInEvents(post) });

  const { status } = await platform.api('POST', `${path}/unpublish`, {});
  expect(status).toBe(202);
  const unpublishedPost = await untilUnpublished(platform, post.id);
  expect(
    unpublishedPost.publish_results.map(({ platform: name, status, removal }) => `${name} ${status} ${removal?.status}`).sort(),
  ).toEqual([
    'facebook success removed',
    'google_business success removed',
    'instagram success not_supported',
    'linkedin success removed',
    'linkedin success removed',
    'pinterest success removed',
    'tiktok success not_supported',
    'x success removed',
    'youtube success removed',
  ]);
  for (const { removal, post_url } of unpublishedPost.publish_results)
    expect(removal?.url).toBe(removal?.status === 'removed' ? null : post_url);
  const left = (await platform.sandbox.posts()).filter(({ id }) => !others.has(id));
  expect(left.map((one) => one.platform).sort()).toEqual(['instagram', 'tiktok']);
  const [, unpublished] = await eventually(async () => {
    const all = await platform.sandbox.webhooks('eight');
    return all.length > 1 && all;
  });
  expect(JSON.parse(unpublished?.body ?? '')).toMatchObject({ type: 'post.unpublished', data: asInEvents(unpublishedPost) });
});

/** What events leave out. */
const asInEvents = ({ self: _, ...post }: Post): object => ({
  ...post,
  media_details: post.media_details.map((media) => ({ ...media, description: '', transcript: '' })),
});

/** The board that the account's owner would choose. */
async function aBoard(): Promise<string> {
  const { body } = await platform.api<{ items: { value: string }[] }>(
    'GET',
    `${business}/integrations/${platform.integrations['pinterest']}/choices/board_id`,
  );
  return body.items[0]?.value ?? '';
}

test('a post follows its design until it is published', async () => {
  const job = await ended(await generate({ creative_formats: ['design'] }));
  const path = `${business}/posts/${job.data[0]?.post_id}`;
  const { design_id: design } = (await platform.api<{ design_id: string }>('GET', path)).body;
  const edited = await platform.api<{ media: { url: string }[] }>('PATCH', `${business}/designs/${design}`, { aspect_ratio: '4:5' });
  const [shown] = edited.body.media;
  await eventually(async () => (await platform.api<{ media_urls: string[] }>('GET', path)).body.media_urls.join() === shown?.url);
  expect((await fetch(shown?.url ?? '')).headers.get('content-type')).toBe('image/png');
});

describe('generation killed', () => {
  const COUNT = 2;

  test.each(['input', 'ideas', 'copy', 'creatives', 'posts'])(
    'during %s or right after: its successor finishes the job, and creates each post once',
    async (step) => {
      const before = await generatedPosts();
      const job = await generate({ count: COUNT, creative_formats: ['design', 'carousel'] });
      const steps = ['input', 'ideas', 'copy', 'creatives', 'posts', 'done'];
      await eventually(async () => steps.indexOf((await read(job)).progress.step) >= steps.indexOf(step));
      await platform.kill('generation');
      await takeOver(job);
      await platform.start('generation');
      const after = await ended(job);
      expect(after).toMatchObject({ status: 'completed', credits: COUNT });
      expect(new Set(after.data.map(({ post_id }) => post_id)).size).toBe(COUNT);
      expect((await generatedPosts()) - before).toBe(COUNT);
    },
  );

  /** As if the lease of the dead process had expired. */
  async function takeOver({ job_id: id }: Job): Promise<void> {
    const { MONGODB_URL: url = '', MONGODB_DATABASE: database } = platform.settingsOf('generation');
    const mongo = await new MongoClient(url).connect();
    await mongo
      .db(database)
      .collection<{ _id: string }>('jobs')
      .updateOne({ _id: id, open: true }, { $set: { run_at: new Date(0) } });
    await mongo.close();
  }

  const generatedPosts = async (): Promise<number> => {
    const { body } = await platform.api<{ items: { design_id: string | null }[] }>('GET', `${business}/posts?limit=100`);
    return body.items.filter(({ design_id }) => design_id !== null).length;
  };
});
