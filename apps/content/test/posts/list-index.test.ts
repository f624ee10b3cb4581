import type { PostStatus } from '@fanfare/contracts/content';
import { connectMongo, migrate, type Mongo } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import type { Document } from 'mongodb';
import { migrations } from '../../src/migrations.ts';
import { withKeys } from '../../src/posts/post-keys.ts';
import type { PostDocument, ResultDocument } from '../../src/posts/post.ts';
import { listPosts, MAX_INSPECTED, type PostList } from '../../src/posts/store/post-lists.ts';
import { aBusiness, aScheduledPost } from '../running-content.ts';

const COUNT = 6_000;
const PAGE = 20;
const STATUSES: readonly PostStatus[] = [
  'POST_STATUS_NEW',
  'POST_STATUS_DRAFT',
  'POST_STATUS_REJECTED',
  'POST_STATUS_SCHEDULED',
  'POST_STATUS_PUBLISHED',
];
const FIRST = Date.parse('2030-01-01T00:00:00Z');
const HOUR = 3600_000;

const call = aBusiness();
const { organizationId, businessId } = call.call.metadata;
let mongo: Mongo;
beforeAll(async () => {
  const { mongoUrl, database } = testInfrastructure();
  mongo = await connectMongo({ url: mongoUrl, database, service: 'test' });
  await migrate(mongo.db, migrations);
  for (let from = 0; from < COUNT; from += 10_000) {
    const posts = Array.from({ length: Math.min(10_000, COUNT - from) }, (_, index) => aPost(from + index));
    await mongo.db.collection<PostDocument>('posts').insertMany(posts.flatMap((post) => [post, aDeletedPost()]));
  }
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});

/**
 * Posts with each status in turn, ten per millisecond; scheduled and published ones are an hour apart. Every hundredth contains "rare", every second one
 * "common".
 */
function aPost(index: number): PostDocument {
  const status = STATUSES[index % STATUSES.length] ?? 'POST_STATUS_NEW';
  const created_at = new Date(1_700_000_000_000 + Math.floor(index / 10));
  const at = new Date(FIRST + Math.floor(index / STATUSES.length) * HOUR);
  const caption = `${index % 100 === 0 ? 'Rare' : 'Usual'} ${index % 2 === 0 ? 'common' : 'other'} words`;
  const restrict_publish_to = [index % 50 === 0 ? 'x' : 'facebook'];
  const post = aScheduledPost(call, at, { _id: newId(), status, created_at, caption, restrict_publish_to });
  if (status === 'POST_STATUS_SCHEDULED') return withKeys(index % 100 === 3 ? { ...post, risks_told: ['a'] } : post);
  const { scheduled_publish_time, next_due_at, ...rest } = post;
  if (status !== 'POST_STATUS_PUBLISHED') return withKeys(rest);
  const platform = index % 20 === 4 ? 'tiktok' : 'facebook';
  const result = { platform, integrationId: platform, status: 'PUBLISH_RESULT_STATUS_SUCCESS' } as ResultDocument;
  const failed = { ...result, integrationId: 'other', status: 'PUBLISH_RESULT_STATUS_FAILED' } as ResultDocument;
  return withKeys({ ...rest, published_at: at, publish_results: index % 30 === 4 ? [result, failed] : [result] });
}

function aDeletedPost(): PostDocument {
  const { scheduled_publish_time, next_due_at, ...rest } = aScheduledPost(call, new Date(FIRST));
  return { ...rest, status: 'POST_STATUS_NEW', created_at: new Date(1_700_000_000_000 + COUNT), deleted_at: new Date() };
}

/** MongoDB's profile of the query for a page. */
async function profiled(list: PostList) {
  const { db } = mongo;
  await db.command({ profile: 2 });
  const page = await listPosts(db, list);
  await db.command({ profile: 0 });
  const seen: Document | null = await db.collection('system.profile').findOne({ 'command.find': 'posts' }, { sort: { ts: -1 } });
  return { page, seen };
}

const all = { organizationId, businessId, statuses: [], scheduledFrom: undefined, scheduledTo: undefined, pageSize: PAGE, pageToken: '' };
/** A window that contains two and a half pages of scheduled posts. */
const window = { scheduledFrom: new Date(FIRST + 50 * HOUR), scheduledTo: new Date(FIRST + 100 * HOUR) };

const FILTERS: readonly (readonly [string, Partial<PostList>, number])[] = [
  ['no filter', {}, COUNT],
  ['a status', { statuses: ['POST_STATUS_DRAFT'] }, COUNT / 5],
  ['three statuses', { statuses: STATUSES.slice(1, 4) }, (COUNT * 3) / 5],
  ['every status', { statuses: STATUSES }, COUNT],
  ['a window', window, 50],
  ['a window and statuses', { ...window, statuses: ['POST_STATUS_NEW', 'POST_STATUS_SCHEDULED'] }, 50],
  ['the end of a window', { scheduledTo: window.scheduledTo }, 100],
  ['the beginning of a window', { scheduledFrom: window.scheduledFrom }, COUNT / 5 - 50],
  ['a publish status', { publishStatuses: ['PUBLISH_STATUS_PARTIALLY_FAILED'] }, COUNT / 30],
  ['two publish statuses', { publishStatuses: ['PUBLISH_STATUS_SUCCEEDED', 'PUBLISH_STATUS_PARTIALLY_FAILED'] }, COUNT / 5],
  ['a platform', { targetKeys: ['platform:tiktok', 'to:platform:tiktok', 'to:*'] }, COUNT / 20],
  ['a risk', { isAtRisk: true }, COUNT / 100],
  ['a risk, the oldest first', { isAtRisk: true, sort: 'POST_SORT_CREATED_FIRST' }, COUNT / 100],
  ['a risk, the next to be published first', { isAtRisk: true, sort: 'POST_SORT_SCHEDULED_FIRST' }, COUNT / 100],
  ['a risk, the last to be published first', { isAtRisk: true, sort: 'POST_SORT_SCHEDULED_LAST' }, COUNT / 100],
  ['a rare word', { words: ['rare'] }, COUNT / 100],
  ['a common word', { words: ['common'] }, COUNT / 2],
  ['the oldest first', { sort: 'POST_SORT_CREATED_FIRST' }, COUNT],
  ['the next to be published first', { sort: 'POST_SORT_SCHEDULED_FIRST' }, COUNT / 5],
  ['the last to be published first', { sort: 'POST_SORT_SCHEDULED_LAST' }, COUNT / 5],
  ['a window, the next to be published first', { ...window, sort: 'POST_SORT_SCHEDULED_FIRST' }, 50],
  ['a window, the oldest first', { ...window, sort: 'POST_SORT_CREATED_FIRST' }, 50],
  ['what was published first, first', { sort: 'POST_SORT_PUBLISHED_FIRST' }, COUNT / 5],
  ['what was published last, first', { sort: 'POST_SORT_PUBLISHED_LAST' }, COUNT / 5],
];

test.each(FILTERS)(
  'with %s, every page reads about as many index keys and documents as its posts, the last page as many as the first',
  async (_name, filter, count) => {
    const list = { ...all, ...filter };
    let ids = 0;
    let pageToken = '';
    do {
      const { page, seen } = await profiled({ ...list, pageToken });
      // Others of the same millisecond, and posts with other statuses in between, are skipped one by one.
      expect(seen?.['docsExamined']).toBeLessThanOrEqual(3 * PAGE);
      expect(seen?.['keysExamined']).toBeLessThanOrEqual(6 * PAGE);
      ids += page.rows.length;
      // Posts between the first page and the last few are skipped with one index seek.
      const rest = await listPosts(mongo.db, { ...list, pageSize: Math.max(1, count - ids - 2 * PAGE), pageToken: page.nextPageToken });
      const isFar = page.nextPageToken !== '' && count - ids > 3 * PAGE;
      if (isFar) ids += rest.rows.length;
      pageToken = isFar ? rest.nextPageToken : page.nextPageToken;
    } while (pageToken !== '');
    expect(ids).toBe(count);
  },
);

test('a time window with statuses that have no scheduled time is empty, and needs no query', async () => {
  expect(await listPosts(mongo.db, { ...all, ...window, statuses: ['POST_STATUS_DRAFT'] })).toEqual({ rows: [], nextPageToken: '' });
});

/** Reads all pages. */
async function readAll(filter: Partial<PostList>) {
  const pages: { ids: string[]; inspected: number }[] = [];
  let pageToken = '';
  do {
    const { page, seen } = await profiled({ ...all, ...filter, pageToken });
    pages.push({ ids: page.rows.map(({ _id }) => _id), inspected: Number(seen?.['docsExamined']) });
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return pages;
}

const COMBINED: readonly (readonly [string, Partial<PostList>, number])[] = [
  ['words, one of which is rare', { words: ['rare', 'common'] }, COUNT / 100],
  ['a common word and a status', { words: ['common'], statuses: ['POST_STATUS_DRAFT'] }, COUNT / 10],
  [
    'a platform and a publish status',
    { targetKeys: ['platform:tiktok'], publishStatuses: ['PUBLISH_STATUS_PARTIALLY_FAILED'] },
    COUNT / 60,
  ],
  ['a platform, by the time of publishing', { targetKeys: ['platform:tiktok'], sort: 'POST_SORT_PUBLISHED_LAST' }, COUNT / 20],
  ['a risk and a window', { isAtRisk: true, scheduledTo: new Date(FIRST + 120 * HOUR) }, 6],
  ['a risk and a word', { isAtRisk: true, words: ['usual', 'other'] }, COUNT / 100],
  ['a risk and a status without posts at risk', { isAtRisk: true, statuses: ['POST_STATUS_DRAFT'] }, 0],
  ['a risk, in the order of publishing', { isAtRisk: true, sort: 'POST_SORT_PUBLISHED_FIRST' }, 0],
  ['a window and a word', { ...window, words: ['common'] }, 25],
];
test.each(COMBINED)('%s combined list each post once, and no page reads more than the limit', async (_name, filter, count) => {
  const pages = await readAll(filter);
  const ids = pages.flatMap((page) => page.ids);
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
  for (const { inspected } of pages) expect(inspected).toBeLessThanOrEqual(MAX_INSPECTED + 101);
});

test('a page with few matching posts ends early, and the next one continues there', async () => {
  const pages = await readAll({ words: ['common', 'usual'], publishStatuses: ['PUBLISH_STATUS_FAILED'] });
  expect(pages.flatMap(({ ids }) => ids)).toEqual([]);
  const sparse = await readAll({ statuses: ['POST_STATUS_REJECTED'], sort: 'POST_SORT_CREATED_FIRST', words: ['usual', 'nothing'] });
  expect(sparse.flatMap(({ ids }) => ids)).toEqual([]);
  const none = await readAll({ sort: 'POST_SORT_PUBLISHED_FIRST', words: ['nothing'] });
  expect(none.map(({ inspected }) => inspected <= MAX_INSPECTED + 101)).toEqual([true, true]);
});
