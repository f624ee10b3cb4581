import { topics } from '@fanfare/contracts';
import type { Post } from '@fanfare/contracts/content';
import type { Design } from '@fanfare/contracts/generation/designs';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { changingPosts } from '../posts/changing-posts.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const { update } = changingPosts({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});
const businessId = () => call.call.metadata.businessId;
const aMedia = () => content.library.add(businessId());
const idsOf = ({ media }: Post) => media.map(({ id }) => id);

/** Emits the event of a new rendering, or of a deletion. */
async function change({ id, revision }: Design, mediaIds: readonly string[], isDeleted = false): Promise<Design> {
  const { organizationId } = call.call.metadata;
  const design = content.generation.put(businessId(), mediaIds, { id, revision: revision + 1 });
  const emission = { subject: id, revision: design.revision, organizationId, businessId: businessId(), flowId: 'flow' };
  await content.peer.emit(topics.designChanged, [{ emission, data: { organizationId, design, isDeleted } }]);
  return design;
}

const shows = (post: Post, mediaIds: readonly string[]) =>
  eventually(async () => {
    const now = await content.getPost(call, post.id);
    return idsOf(now).join() === mediaIds.join() && now;
  });

test('a post has the media of its design, in order', async () => {
  const mediaIds = [aMedia(), aMedia()];
  const { id } = content.generation.put(businessId(), mediaIds);
  const post = await content.createPost(call, { designId: id, caption: '' });
  expect(post).toMatchObject({ designId: id, media: mediaIds.map((one) => ({ id: one, type: 'image' })) });
});

test('a design of another business is not found, and nothing is created', async () => {
  const { id } = content.generation.put(newId(), [aMedia()]);
  const postId = newId();
  await expect(content.createPost(call, { postId, designId: id })).rejects.toMatchObject({ code: 'invalid_value', param: 'design_id' });
  await expect(content.getPost(call, postId)).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('a scheduled post follows its design: the new media are reserved, and the change is an event', async () => {
  const [before, after] = [aMedia(), aMedia()];
  const design = content.generation.put(businessId(), [before]);
  const scheduled = { status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: new Date(Date.now() + 3_600_000) };
  const [draft, waiting] = [
    await content.createPost(call, { designId: design.id }),
    await content.createPost(call, { designId: design.id, ...scheduled }),
  ];
  await change(design, [after]);
  for (const post of [draft, waiting]) expect(await shows(post, [after])).toMatchObject({ revision: 2, designId: design.id });
  await eventually(() => content.changesOf(waiting.id).at(-1)?.neededMediaIds.join() === after);
});

test('a published post does not follow its design', async () => {
  const [before, after] = [aMedia(), aMedia()];
  const design = content.generation.put(businessId(), [before]);
  const published = await content.createPost(call, { designId: design.id, status: 'POST_STATUS_PUBLISHED' });
  const draft = await content.createPost(call, { designId: design.id });
  await change(design, [after]);
  await shows(draft, [after]);
  expect(idsOf(await content.getPost(call, published.id))).toEqual([before]);
  const shown = await content.client.findShownMedia({ designId: design.id, mediaIds: [before, after, aMedia()] }, call);
  expect(shown.mediaIds).toEqual([before, after]);
});

test('a post that gets other media, or no design, no longer follows its old one', async () => {
  const [before, own, after] = [aMedia(), aMedia(), aMedia()];
  const design = content.generation.put(businessId(), [before]);
  const [given, left, following] = [
    await content.createPost(call, { designId: design.id }),
    await content.createPost(call, { designId: design.id }),
    await content.createPost(call, { designId: design.id }),
  ];
  expect(await update(given, { updateMask: ['media_ids'], mediaIds: [own] })).toMatchObject({ designId: undefined, media: [{ id: own }] });
  expect(await update(left, { updateMask: ['design_id'] })).toMatchObject({ designId: undefined, media: [{ id: before }] });
  await change(design, [after]);
  await shows(following, [after]);
  expect(idsOf(await content.getPost(call, given.id))).toEqual([own]);
  expect(idsOf(await content.getPost(call, left.id))).toEqual([before]);
});

test('posts keep the media of a deleted design', async () => {
  const [before, after] = [aMedia(), aMedia()];
  const [design, other] = [content.generation.put(businessId(), [before]), content.generation.put(businessId(), [before])];
  const [post, following] = [
    await content.createPost(call, { designId: design.id }),
    await content.createPost(call, { designId: other.id }),
  ];
  await change(design, [], true);
  await change(other, [after]);
  await shows(following, [after]);
  expect(await content.getPost(call, post.id)).toMatchObject({ designId: design.id, media: [{ id: before }] });
});
