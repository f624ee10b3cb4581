import { addPost, findLivePost, type Post } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import { invalidParameter, noSuchObject, reject } from '../graph/errors.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { flag, list, text, uploadedFile, type Params } from '../graph/params.ts';
import { requirePageToken, requireScope, session } from '../graph/session.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { hosts, limits } from './limits.ts';
import { photoFrom } from './photo-source.ts';
import { newGraphId, photos, videos, type Photo } from './state.ts';

export const publishOperations: Operation[] = [
  graphOperation('facebook', {
    name: 'facebook.create_feed_post',
    hosts: [hosts.graph],
    method: 'POST',
    path: '/{v}/{page_id}/feed',
    takes: ['message', 'link', 'attached_media', 'published'],
    handle: createFeedPost,
  }),
  graphOperation('facebook', {
    name: 'facebook.create_photo',
    hosts: [hosts.graph],
    method: 'POST',
    path: '/{v}/{page_id}/photos',
    takes: ['message', 'caption', 'url', 'source', 'published', 'alt_text_custom'],
    handle: createPhoto,
  }),
  graphOperation('facebook', {
    name: 'facebook.create_comment',
    hosts: [hosts.graph],
    method: 'POST',
    path: '/{v}/{object_id}/comments',
    takes: ['message', 'attachment_url'],
    handle: createComment,
  }),
];

function createFeedPost(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  const { world } = sandbox;
  const page = publishingPage(call, sandbox);
  const message = checkedMessage(values, 'message');
  const link = checkedLink(values);
  const attached = attachedPhotos(values, world, page);
  const published = flag(values, 'published') ?? true;
  if (!message && !link && attached.length === 0) throw invalidParameter('The parameter message is required');
  if (attached.length === 0 && published) rejectDuplicate(world, page, message, link);
  const id = newPostId(world, page);
  const post = addPost(world, {
    id,
    platform: 'facebook',
    account_id: page.id,
    kind: attached.length > 1 ? 'album' : attached.length === 1 ? 'photo' : link ? 'link' : 'text',
    text: message,
    link,
    media_ids: attached.map((photo) => photo.media_id),
    reply_to: null,
    url: permalink(page, id),
    published,
  });
  for (const photo of attached) Object.assign(photo, { post_id: post.id, published });
  return { id };
}

async function createPhoto(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  const { world } = sandbox;
  const page = publishingPage(call, sandbox);
  const message = checkedMessage(values, values['message'] === undefined ? 'caption' : 'message');
  const published = flag(values, 'published') ?? true;
  const file = uploadedFile(call, 'source');
  const url = text(values, 'url');
  if (!file && !url) throw invalidParameter('The parameter url is required');
  const media = await photoFrom(world, file ? { file } : { url: url! }, text(values, 'alt_text_custom') ?? null);
  const photo: Photo = {
    id: newGraphId(world),
    page_id: page.id,
    media_id: media.id,
    published,
    post_id: null,
    created_at: new Date(world.now()).toISOString(),
  };
  photos(world).set(photo.id, photo);
  if (!published) return { id: photo.id };
  const id = newPostId(world, page);
  addPost(world, {
    id,
    platform: 'facebook',
    account_id: page.id,
    kind: 'photo',
    text: message,
    link: null,
    media_ids: [media.id],
    reply_to: null,
    url: permalink(page, id),
  });
  photo.post_id = id;
  return { id: photo.id, post_id: id };
}

async function createComment(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  const { world } = sandbox;
  const caller = session(call, values, sandbox);
  const objectId = call.params['object_id']!;
  const target = findPost(world, objectId);
  if (!target) throw noSuchObject('POST', objectId);
  requirePageToken(caller, target.account_id);
  requireScope(caller, 'pages_manage_engagement');
  const message = checkedMessage(values, 'message');
  const attachment = text(values, 'attachment_url');
  if (!message && !attachment) throw invalidParameter('The parameter message is required');
  const media = attachment ? [await photoFrom(world, { url: attachment }, null)] : [];
  const id = `${target.id.split('_').at(-1)}_${world.nextNumber()}`;
  addPost(world, {
    id,
    platform: 'facebook',
    account_id: target.account_id,
    kind: 'comment',
    text: message,
    link: null,
    media_ids: media.map((one) => one.id),
    reply_to: target.id,
    url: `${target.url}?comment_id=${id.split('_')[1]}`,
  });
  return { id };
}

/** The Page in the path, if the caller may publish to it. */
export function publishingPage(call: GraphCall, sandbox: Sandbox): Account {
  const caller = session(call, call.values, sandbox);
  const requested = call.params['page_id']!;
  const id = requested === 'me' ? (caller.token.account_id ?? requested) : requested;
  const page = sandbox.world.accounts.get(id);
  if (page?.platform !== 'facebook') throw noSuchObject('POST', id);
  requirePageToken(caller, page.id);
  requireScope(caller, 'pages_manage_posts', 'pages_read_engagement');
  return page;
}

/** A post by its own id, or by the id of its photo or video. */
export function findPost(world: World, id: string): Post | undefined {
  const postId = photos(world).get(id)?.post_id ?? videos(world).get(id)?.post_id ?? id;
  const post = world.posts.get(postId);
  return post?.platform === 'facebook' && post.kind !== 'comment' ? post : undefined;
}

export const newPostId = (world: World, page: Account) => `${page.id}_${newGraphId(world)}`;

export const permalink = (page: Account, postId: string) => `https://www.facebook.com/${page.id}/posts/${postId.split('_')[1]}`;

export function checkedMessage(values: Params, name: string): string {
  const message = text(values, name) ?? '';
  if ([...message].length > limits.messageCharacters)
    throw invalidParameter(`Param ${name} must be no longer than ${limits.messageCharacters} characters`);
  return message;
}

function checkedLink(values: Params): string | null {
  const link = text(values, 'link');
  if (!link) return null;
  if (!URL.canParse(link) || !/^https?:$/.test(new URL(link).protocol)) {
    throw reject({
      message: '(#100) link URL is not properly formatted',
      code: 100,
      subcode: 1_609_005,
      title: 'Link Error',
      userMessage: "The link couldn't be posted.",
    });
  }
  if (/(^|\.)(facebook\.com|fb\.com)$/.test(new URL(link).hostname)) {
    throw reject({
      message: '(#100) The link is not allowed',
      code: 100,
      subcode: 1_609_008,
      title: 'Link Error',
      userMessage: "Links to facebook.com can't be posted.",
    });
  }
  return link;
}

function attachedPhotos(values: Params, world: World, page: Account): Photo[] {
  const attached = (list(values, 'attached_media') ?? []).map((item) => {
    const id = (item as { media_fbid?: unknown } | null)?.media_fbid;
    if (typeof id !== 'string' && typeof id !== 'number') throw invalidParameter('Param attached_media[0] must have media_fbid');
    const photo = photos(world).get(String(id));
    if (photo?.page_id !== page.id) throw invalidParameter(`Invalid media_fbid: ${id}`, 1_366_041);
    if (photo.post_id !== null) {
      throw reject({
        message: '(#100) Photos were already posted.',
        code: 100,
        subcode: 1_366_051,
        title: 'Already Posted',
        userMessage: 'These photos were already posted.',
      });
    }
    return photo;
  });
  if (new Set(attached).size !== attached.length) throw invalidParameter('Param attached_media must not name a photo twice');
  return attached;
}

/** Facebook rejects the same text twice in a row. */
function rejectDuplicate(world: World, page: Account, message: string, link: string | null): void {
  const newest = findLivePost(world, page.id, (post) => post.reply_to === null);
  if (
    newest &&
    newest.media_ids.length === 0 &&
    newest.text === message &&
    newest.link === link &&
    Date.parse(newest.created_at) > world.now() - 600_000
  ) {
    throw reject({
      message: '(#506) Duplicate status message',
      code: 506,
      subcode: 1_455_006,
      title: 'Duplicate Status Update',
      userMessage:
        'This status update is identical to the last one you posted. Try posting something different, or delete your previous update.',
    });
  }
}
