// Media that were fetched for a post that was never saved are deleted from the library.
import { UpdatePostRequest, type CreatePostRequest } from '@fanfare/contracts/content';
import { LeaseLost, type Worker } from '@fanfare/leased-work';
import { derivedId, newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startDeletingExpiredImports } from '../../src/media/delete-expired-imports.ts';
import {
  abandonMediaImport,
  beginMediaImport,
  closeMediaImport,
  completeMediaImport,
  mediaImportRows,
  type MediaImportDocument,
} from '../../src/media/store/media-imports.ts';
import { aBusiness, aCreatePost, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const rows = () => content.db.collection<MediaImportDocument>('media_imports');
const rowsOf = (operationId: string) => rows().find({ operation_id: operationId }).toArray();
const fetchedFor = ({ operationId }: { operationId: string }) =>
  content.library.imports.filter((one) => one.operationId === operationId).map(({ mediaId }) => mediaId);
const left = (request: { operationId: string }) => fetchedFor(request).filter((id) => content.library.has(id));
const create = (request: CreatePostRequest) => content.client.createPost(request, call);

test('media that were fetched for a saved post stay', async () => {
  const request = aCreatePost({ mediaUrls: ['https://example.com/1.jpg', 'https://example.com/2.jpg'] });
  const { post } = await create(request);
  expect(left(request).sort()).toEqual(post?.media.map(({ id }) => id).sort());
  expect(await rowsOf(request.operationId)).toEqual([]);
});

test('a URL that occurs more than once is fetched once', async () => {
  const [url, other] = ['https://example.com/same.jpg', 'https://example.com/other.jpg'];
  const platformOverrides = [{ override: { platform: 'x' }, mediaUrls: { urls: [other, url] } }];
  const request = aCreatePost({ mediaUrls: [url, url], platformOverrides });
  const { post } = await create(request);
  expect(fetchedFor(request)).toHaveLength(2);
  const [media, again] = post?.media ?? [];
  expect(again).toEqual(media);
  const [otherMedia, sameMedia] = post?.platformOverrides[0]?.media?.items ?? [];
  expect(sameMedia).toEqual(media);
  expect(otherMedia?.id).not.toBe(media?.id);
});

test('imports that are still running when another URL fails are awaited, and deleted too', async () => {
  const broken = 'https://example.com/broken.jpg';
  const request = aCreatePost({ mediaUrls: ['https://example.com/slow.jpg', broken] });
  const release = content.library.blockImports('slow');
  const creating = create(request).catch((error: unknown) => error);
  await eventually(() => fetchedFor(request).length === 2);
  // Meanwhile a request without running imports has failed.
  await expect(create(aCreatePost({ mediaUrls: [broken] }))).rejects.toMatchObject({ param: 'media_urls.0' });
  expect(await rowsOf(request.operationId)).toMatchObject([{ open: true }]);
  release();
  expect(await creating).toMatchObject({ code: 'invalid_value', param: 'media_urls.1' });
  expect(left(request)).toEqual([]);
});

test('if one URL cannot be fetched, the other media are deleted; a successful repeat has all of them', async () => {
  const urls = ['https://example.com/1.jpg', 'https://example.com/2.jpg', `https://example.com/broken-${newId()}.jpg`];
  const request = aCreatePost({ mediaUrls: urls });
  await expect(create(request)).rejects.toMatchObject({ code: 'invalid_value', param: 'media_urls.2' });
  expect(fetchedFor(request)).toHaveLength(3);
  expect(left(request)).toEqual([]);

  content.library.fetchAll();
  const { post } = await create(request);
  expect(post?.media).toHaveLength(3);
  expect(left(request).sort()).toEqual(post?.media.map(({ id }) => id).sort());
});

test('if an edit fails after fetching, the fetched media are deleted', async () => {
  const post = await content.createPost(call);
  const edit = UpdatePostRequest.fromPartial({
    ...{ operationId: newId(), postId: post.id, expectedRevisions: [post.revision] },
    ...{ updateMask: ['media_urls'], mediaUrls: ['https://example.com/late.jpg'] },
  });
  const release = content.library.blockImports();
  const editing = content.client.updatePost(edit, call);
  await eventually(() => fetchedFor(edit).length === 1);
  const other = UpdatePostRequest.fromPartial({ operationId: newId(), postId: post.id, updateMask: ['caption'], caption: 'Faster' });
  await content.client.updatePost(other, call);
  release();
  await expect(editing).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(left(edit)).toEqual([]);
});

test('two concurrent repeats fetch media with the same ids, and keep them', async () => {
  const request = aCreatePost({ mediaUrls: ['https://example.com/1.jpg'] });
  const release = content.library.blockImports();
  const both = [create(request), create(request)];
  await eventually(() => fetchedFor(request).length === 2);
  release();
  const [first, second] = await Promise.all(both);
  expect(second).toEqual(first);
  expect(new Set(fetchedFor(request)).size).toBe(1);
  expect(left(request)).not.toEqual([]);
});

test('media that two concurrent requests of an operation fetch stay until both have failed', async () => {
  const { context, db } = content;
  const complete = (id: string) => context.transact((session) => completeMediaImport(db, id, session));
  const begun = (operationId: string) => beginMediaImport(db, call.call.metadata, operationId, 60_000, () => []);
  const twice = async () => {
    const operationId = newId();
    const [{ _id: one }, { _id: other }] = [await begun(operationId), await begun(operationId)];
    expect(other).toBe(one);
    expect(await abandonMediaImport(db, one, 60_000)).toBe(false);
    return one;
  };
  await complete(await twice());
  const failed = await twice();
  expect(await abandonMediaImport(db, failed, 60_000)).toBe(true);
  await expect(complete(failed)).rejects.toThrow(/given up/);
});

describe('media that were fetched by a process that was killed before it saved the post', () => {
  /** The state after the crash: the row, and its media. */
  async function anUnfinishedImport(expireAfterMs: number) {
    const mediaIds = [1, 2].map(() => content.library.add(call.call.metadata.businessId));
    return beginMediaImport(content.db, call.call.metadata, newId(), expireAfterMs, () => mediaIds);
  }
  const workers: Worker[] = [];
  const startDeleting = (context: Parameters<typeof startDeletingExpiredImports>[0] = content.context) =>
    void workers.push(startDeletingExpiredImports(context));
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });
  const isDeleted = ({ operation_id }: MediaImportDocument) => eventually(async () => (await rowsOf(operation_id)).length === 0);

  test('are deleted when the import expires, and not before', async () => {
    const [over, recent] = [await anUnfinishedImport(0), await anUnfinishedImport(60_000)];
    startDeleting();
    await isDeleted(over);
    expect(over.media_ids.filter(content.library.has)).toEqual([]);
    expect(recent.media_ids.filter(content.library.has)).toEqual(recent.media_ids);
  });

  test('can no longer be saved by a process that was only slow', async () => {
    const leftover = await anUnfinishedImport(0);
    const { _id } = leftover;
    startDeleting();
    await isDeleted(leftover);
    await expect(content.context.transact((session) => completeMediaImport(content.db, _id, session))).rejects.toThrow(/given up/);
  });

  test('are used by a repeat in time, which fetches nothing again', async () => {
    const request = aCreatePost({ mediaUrls: ['https://example.com/1.jpg'] });
    const idsOf = (id: string) => [derivedId(id, 'media_urls.0')];
    const leftover = await beginMediaImport(content.db, call.call.metadata, request.operationId, 60_000, idsOf);
    const { post } = await create(request);
    expect(post?.media.map(({ id }) => id)).toEqual(leftover.media_ids);
    expect(await rowsOf(request.operationId)).toEqual([]);
  });

  test('belong to the post if a repeat saves it just before they are deleted', async () => {
    const { operation_id } = await anUnfinishedImport(0);
    const leased = await mediaImportRows.leaseDue(content.db, 60_000, { operation_id });
    const joined = await beginMediaImport(content.db, call.call.metadata, operation_id, 60_000, () => []);
    await expect(closeMediaImport(content.db, leased!)).rejects.toBeInstanceOf(LeaseLost);
    await content.context.transact((session) => completeMediaImport(content.db, joined._id, session));
    expect(await rowsOf(operation_id)).toEqual([]);
  });

  test('stay while they are in use, and their deletion is retried', async () => {
    const { media_ids, operation_id } = await anUnfinishedImport(0);
    content.library.need(media_ids[0] ?? '');
    startDeleting();
    await eventually(async () => Number((await rowsOf(operation_id))[0]?.lapses_at) > Date.now() + 5 * 60_000);
    expect(media_ids.map(content.library.has)).toEqual([true, false]);
  });

  test('are deleted even if the deletion of others takes long', async () => {
    const [slow, other] = [await anUnfinishedImport(0), await anUnfinishedImport(0)];
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { library } = content.context;
    const deleteMedia: typeof library.deleteMedia = async (request, options) => {
      if (slow.media_ids.includes(request.mediaId ?? '')) {
        begun.resolve();
        await released.promise;
      }
      return library.deleteMedia(request, options);
    };
    startDeleting({ ...content.context, library: { ...library, deleteMedia } });
    await begun.promise;
    await isDeleted(other);
    expect(await rowsOf(slow.operation_id)).toMatchObject([{ open: false }]);
    released.resolve();
    await isDeleted(slow);
  });
});
