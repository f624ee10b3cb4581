import { topics } from '@fanfare/contracts';
import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import type { JobDocument } from '../src/jobs/job.ts';
import { aJob, startGeneration, type TestGeneration } from './running-generation.ts';

let generation: TestGeneration;
beforeAll(async () => {
  generation = await startGeneration();
});
afterAll(() => generation.stop());

const usage = async (call: ReturnType<TestGeneration['aBusiness']>) => {
  const { posts, credits } = await generation.client.getUsage({}, call);
  return { posts, credits };
};

test('a job generates posts with designs from a text: NEW, each created once, and an event', async () => {
  const call = generation.aBusiness();
  generation.content.platforms.push('x', 'instagram');
  const { id, status, progress } = await generation.createJob(call, { count: 3 });
  expect({ status, progress }).toMatchObject({ status: 'JOB_STATUS_PENDING', progress: { total: 3, completed: 0 } });
  const job = await generation.ended(call, id);
  expect(job).toMatchObject({
    status: 'JOB_STATUS_COMPLETED',
    error: undefined,
    composer: 'embedded',
    credits: 3,
    warnings: [],
    progress: { step: 'JOB_STEP_DONE', completed: 3 },
  });
  expect(job.posts).toHaveLength(3);
  for (const post of job.posts) {
    expect(post).toMatchObject({
      creativeFormat: 'design',
      renderedUrls: [expect.stringMatching(/^https:/)],
      slides: [{ imageUrl: expect.any(String) }],
    });
    expect(post.caption).toContain('\n');
    expect(post.score?.contrast).toBeGreaterThan(50);
    expect(post.textContent).toMatchObject({ language: 'en', headline: expect.any(String) });
    const created = generation.content.posts.get(post.postId);
    expect(created).toMatchObject({ status: 'POST_STATUS_NEW', caption: post.caption, mediaIds: [] });
    const { design } = await generation.client.getDesign({ designId: created?.designId ?? '' }, call);
    expect(design?.media.map(({ url }) => url)).toEqual(post.renderedUrls);
  }
  expect(new Set(job.posts.map(({ caption }) => caption)).size).toBe(3);
  await eventually(() => generation.peer.received(topics.jobCompleted).some(({ data }) => data.job?.id === id));
  expect(await usage(call)).toEqual({ posts: 3, credits: 3 });
});

test('posts that repeat others of their job score lower', async () => {
  const call = generation.aBusiness();
  const { id } = await generation.createJob(call, { content: undefined, customIdea: 'Slow bread', count: 4, creativeFormats: ['design'] });
  const [first, ...others] = (await generation.ended(call, id)).posts.map(({ score }) => score?.originality ?? 0);
  expect(first).toBe(100);
  // There are fewer sentences than posts: at least one post repeats another.
  expect(Math.min(...others)).toBeLessThan(70);
});

test('a job warns of a voice that its composer does not know, and of a text that is too short for its posts', async () => {
  const call = generation.aBusiness();
  const text = 'The mill in Alentejo grinds flour for the bakery every Monday.';
  const { id } = await generation.createJob(call, { count: 3, content: text, voice: 'like a pirate' });
  expect((await generation.ended(call, id)).warnings).toEqual([
    expect.stringContaining('does not know this voice'),
    expect.stringContaining('one sentence for 3 posts'),
  ]);
});

test('posts get the formats in turn, each with its media', async () => {
  const call = generation.aBusiness();
  const { id } = await generation.createJob(call, { count: 4, creativeFormats: ['carousel', 'meme', 'gif'] });
  const job = await generation.ended(call, id);
  expect(job.posts.map(({ creativeFormat }) => creativeFormat)).toEqual(['carousel', 'meme', 'gif', 'carousel']);
  expect(job.posts.map(({ renderedUrls }) => renderedUrls.length >= 2)).toEqual([true, false, false, true]);
  expect(generation.content.posts.get(job.posts[2]?.postId ?? '')?.mediaIds).toHaveLength(1);
});

test('a video has a cover', async () => {
  const call = generation.aBusiness();
  const { id } = await generation.createJob(call, { creativeFormats: ['video'], aspectRatio: '1:1' });
  const { posts } = await generation.ended(call, id);
  const created = generation.content.posts.get(posts[0]?.postId ?? '');
  expect(posts[0]?.renderedUrls[0]).toMatch(/\.mp4$/);
  expect(generation.library.stored.get(created?.coverMediaId ?? '')?.media.fileName).toBe('cover.png');
});

test('an image is found in the library by matching words; without one the post is not generated and not charged', async () => {
  const call = generation.aBusiness();
  const { businessId } = call.call.metadata;
  const bread = await generation.library.addImage(businessId, { altText: 'Sourdough bread on a table' });
  await generation.library.addImage(businessId, { altText: 'Our delivery bicycle' });
  const { id } = await generation.createJob(call, {
    content: 'Our sourdough bread is made with flour and water only.',
    creativeFormats: ['image'],
  });
  const { posts } = await generation.ended(call, id);
  expect(generation.content.posts.get(posts[0]?.postId ?? '')?.mediaIds).toEqual([bread]);

  const without = generation.aBusiness();
  const failed = await generation.createJob(without, { creativeFormats: ['image'] });
  expect(await generation.ended(without, failed.id)).toMatchObject({
    status: 'JOB_STATUS_FAILED',
    error: expect.stringContaining('No image in the library matches'),
    credits: 0,
  });
  expect(await usage(without)).toEqual({ posts: 0, credits: 0 });
});

test('a post that cannot be generated does not affect the others; it is a warning, and is refunded', async () => {
  const call = generation.aBusiness();
  const { id } = await generation.createJob(call, { count: 2, creativeFormats: ['image', 'design'] });
  const job = await generation.ended(call, id);
  expect(job).toMatchObject({
    status: 'JOB_STATUS_COMPLETED',
    credits: 1,
    warnings: [expect.stringContaining('Post 1 could not be generated')],
  });
  expect(await usage(call)).toEqual({ posts: 1, credits: 1 });
});

test('a repeated create returns the same job, charged once', async () => {
  const call = generation.aBusiness();
  const request = aJob({ count: 2 });
  const [first, second] = await Promise.all([generation.client.createJob(request, call), generation.client.createJob(request, call)]);
  expect(first.job?.id).toBe(second.job?.id);
  await generation.ended(call, request.jobId);
  expect(await usage(call)).toEqual({ posts: 2, credits: 2 });
});

test('the monthly quota is charged immediately; beyond it a request is rejected with the time to retry', async () => {
  const call = generation.aBusiness();
  const limits = { postsPerMonth: 3, creditsPerMonth: undefined };
  await generation.createJob(call, { count: 2, limits });
  await expect(generation.createJob(call, { count: 2, limits })).rejects.toMatchObject({
    code: 'rate_limit_exceeded',
    detail: expect.stringContaining('3 generated posts per month. 1 is left'),
    members: { quota: 'generated_posts_per_month' },
    retryAfterSeconds: expect.any(Number),
  });
  expect(await usage(call)).toEqual({ posts: 2, credits: 2 });
  const fewCredits = { postsPerMonth: 100, creditsPerMonth: 2 };
  await expect(generation.createJob(call, { limits: fewCredits })).rejects.toMatchObject({ members: { quota: 'credits_per_month' } });
});

test('a job that ends in a later month than it began in is refunded in the month that it was charged in', async () => {
  const call = generation.aBusiness();
  const { id } = await generation.createJob(call);
  await generation.ended(call, id);
  const jobs = generation.db.collection<JobDocument>('jobs');
  const usages = generation.db.collection<{ _id: string; posts: number; credits: number }>('usage');
  const waiting = await jobs.findOne({ _id: id });
  const charge = { month: '2020-01', posts: 2, credits: 2 };
  const jobId = newId();
  await usages.insertOne({ _id: `${call.call.metadata.organizationId}:2020-01`, posts: 5, credits: 5 });
  const unbegun = { status: 'pending', step: 'input', open: true, run_at: new Date('2100-01-01'), drafts: {} } as const;
  await jobs.insertOne({ ...(waiting as JobDocument), ...unbegun, _id: jobId, charge });
  await generation.client.cancelJob({ jobId }, call);
  expect(await usages.findOne({ _id: `${call.call.metadata.organizationId}:2020-01` })).toMatchObject({ posts: 3, credits: 3 });
  expect(await usage(call)).toEqual({ posts: 1, credits: 1 });
});

test.each([
  [{ content: undefined }, { code: 'missing_field', param: 'content' }],
  [{ content: ' \n ' }, { code: 'missing_field', param: 'content' }],
  [{ content: '\u200b' }, { code: 'missing_field', param: 'content' }],
  [{ websiteUrl: 'https://user:secret@example.com/' }, { code: 'invalid_value', param: 'website_url' }],
  [{ websiteUrl: 'ftp://example.com' }, { code: 'invalid_value', param: 'website_url' }],
  [{ count: 0 }, { code: 'invalid_value', param: 'count' }],
  [{ count: 11 }, { code: 'invalid_value', param: 'count' }],
  [{ creativeFormats: ['design', 'poster'] }, { code: 'invalid_value', param: 'creative_formats.1' }],
  [
    { creativeFormats: ['ai-video'] },
    { code: 'invalid_value', param: 'creative_formats.0', detail: expect.stringContaining('VIDEO_MODEL_URL') },
  ],
  [{ aspectRatio: '3:2' }, { code: 'invalid_value', param: 'aspect_ratio' }],
  [{ templateIds: ['quote-card', newId()] }, { code: 'invalid_value', param: 'template_ids.1' }],
  [{ templateIds: ['meme-classic'] }, { code: 'invalid_value', param: 'template_ids' }],
  [{ aiImageType: 'poster' }, { code: 'invalid_value', param: 'ai_image_type' }],
])('%j is rejected, and nothing is charged', async (more, error) => {
  const call = generation.aBusiness();
  await expect(generation.createJob(call, more)).rejects.toMatchObject(error);
  expect(await usage(call)).toEqual({ posts: 0, credits: 0 });
});

test('a business sees only its own jobs, newest first', async () => {
  const [call, other] = [generation.aBusiness(), generation.aBusiness()];
  const first = await generation.createJob(call);
  const second = await generation.createJob(call);
  await expect(generation.job(other, first.id)).rejects.toMatchObject({ code: 'resource_not_found' });
  await expect(generation.client.cancelJob({ jobId: first.id }, other)).rejects.toMatchObject({ code: 'resource_not_found' });
  const page = { pageSize: 1, status: 'JOB_STATUS_UNSPECIFIED' as const };
  const one = await generation.client.listJobs({ ...page, pageToken: '' }, call);
  const two = await generation.client.listJobs({ ...page, pageToken: one.nextPageToken }, call);
  expect([...one.jobs, ...two.jobs].map(({ id }) => id)).toEqual([second.id, first.id]);
  expect((await generation.client.listJobs({ ...page, pageToken: '' }, other)).jobs).toEqual([]);
});

describe('failures', () => {
  test('a temporary failure of content creates no second post', async () => {
    const call = generation.aBusiness();
    generation.content.fail(new DomainError('internal_error', 'Unavailable.'), 2);
    const { id } = await generation.createJob(call, { count: 2 });
    const job = await generation.ended(call, id);
    expect(job.posts).toHaveLength(2);
  });

  test('full storage fails the job with the error of the library, refunds the quota and leaves nothing stored', async () => {
    const call = generation.aBusiness();
    generation.library.reject(new DomainError('rate_limit_exceeded', 'The storage of the plan is full.'));
    try {
      const { id } = await generation.createJob(call);
      expect(await generation.ended(call, id)).toMatchObject({
        status: 'JOB_STATUS_FAILED',
        error: expect.stringContaining('The storage of the plan is full.'),
      });
    } finally {
      generation.library.reject(undefined);
    }
    expect(await usage(call)).toEqual({ posts: 0, credits: 0 });
    expect(generation.library.idsOf(call.call.metadata.businessId)).toEqual([]);
    await eventually(() =>
      generation.peer.received(topics.jobFailed).some(({ businessId }) => businessId === call.call.metadata.businessId),
    );
  });

  test('posts that content rejects leave no media, no design and no charge', async () => {
    const call = generation.aBusiness();
    generation.content.fail(new DomainError('invalid_request', 'No.'), 1);
    const { id } = await generation.createJob(call);
    expect(await generation.ended(call, id)).toMatchObject({ status: 'JOB_STATUS_FAILED', error: 'No post could be generated. No.' });
    await eventually(() => generation.library.idsOf(call.call.metadata.businessId).length === 0);
    expect((await generation.client.listDesigns({ pageSize: 10, pageToken: '' }, call)).designs).toEqual([]);
    expect(await usage(call)).toEqual({ posts: 0, credits: 0 });
  });

  test('a website in the private network fails the job', async () => {
    const call = generation.aBusiness();
    const { id } = await generation.createJob(call, { content: undefined, websiteUrl: 'http://10.0.0.1/' });
    expect(await generation.ended(call, id)).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: expect.stringContaining('public address'),
      progress: { step: 'JOB_STEP_INPUT' },
    });
  });

  test('a broken logo fails the job with the reason', async () => {
    const call = generation.aBusiness();
    const { organizationId, businessId } = call.call.metadata;
    const logoMediaId = await generation.library.addImage(businessId, {}, Buffer.from('broken'));
    generation.content.add({ id: businessId, organizationId, logoMediaId });
    const { id } = await generation.createJob(call);
    expect(await generation.ended(call, id)).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: expect.stringContaining('The logo cannot be decoded'),
    });
  });
});
