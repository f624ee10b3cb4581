import { deletePost, livePostsOf, postState, repliesTo } from '../../world/post.ts';
import type { Account } from '../../world/world.ts';
import { invalidParameter, noSuchObject } from '../graph/errors.ts';
import { parseFields, select } from '../graph/fields.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { pageOf, paging, timedPaging, timeWindow } from '../graph/paging.ts';
import { text } from '../graph/params.ts';
import { requirePageToken, requireScope, session, type Session } from '../graph/session.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { person } from '../graph/person.ts';
import { pagesOf } from './accounts.ts';
import { hosts } from './limits.ts';
import { commentNode, pageNode, photoNode, postNode, videoNode } from './nodes.ts';
import { findPost } from './publish.ts';
import { photos, videos } from './state.ts';

export const readOperations: Operation[] = [
  graphOperation('facebook', {
    name: 'facebook.list_accounts',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/me/accounts',
    takes: paging,
    handle: listAccounts,
  }),
  graphOperation('facebook', {
    name: 'facebook.list_published_posts',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/{page_id}/published_posts',
    takes: timedPaging,
    handle: listPosts,
  }),
  graphOperation('facebook', {
    name: 'facebook.list_feed',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/{page_id}/feed',
    takes: timedPaging,
    handle: listPosts,
  }),
  graphOperation('facebook', {
    name: 'facebook.list_reels',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/{page_id}/video_reels',
    takes: timedPaging,
    handle: listReels,
  }),
  graphOperation('facebook', {
    name: 'facebook.list_comments',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/{object_id}/comments',
    takes: paging,
    handle: listComments,
  }),
  graphOperation('facebook', {
    name: 'facebook.get_object',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/{object_id}',
    takes: ['fields'],
    handle: getObject,
  }),
  graphOperation('facebook', {
    name: 'facebook.delete_object',
    hosts: [hosts.graph],
    method: 'DELETE',
    path: '/{v}/{object_id}',
    takes: [],
    handle: deleteObject,
  }),
];

function listAccounts(call: GraphCall, sandbox: Sandbox) {
  const caller = session(call, call.values, sandbox);
  if (caller.token.kind === 'page') throw invalidParameter('Tried accessing nonexisting field (accounts) on node type (Page)');
  requireScope(caller, 'pages_show_list');
  const pages = pagesOf(sandbox.world).filter((page) => caller.grant.account_ids.includes(page.id));
  const fields = parseFields(text(call.values, 'fields'));
  return pageOf(
    call,
    call.values,
    pages,
    (page) => page.id,
    (page) => select('Page', pageNode(sandbox.world, page, caller), fields, ['access_token', 'name', 'id', 'tasks']),
  );
}

function listPosts(call: GraphCall, sandbox: Sandbox) {
  const caller = session(call, call.values, sandbox);
  const page = readablePage(call, sandbox);
  const within = timeWindow(call.values);
  const posts = livePostsOf(sandbox.world, page.id).filter(
    (post) => post.reply_to === null && post.kind !== 'reel' && within(post.created_at),
  );
  const fields = parseFields(text(call.values, 'fields'));
  return pageOf(
    call,
    call.values,
    posts,
    (post) => post.id,
    (post) => select('Post', postNode(sandbox.world, post, caller), fields, ['created_time', 'message', 'id']),
  );
}

/** Those whose session is finished, newest first, drafts among them. The list of posts contains none of them. */
function listReels(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const caller = session(call, call.values, sandbox);
  const page = readablePage(call, sandbox);
  const within = timeWindow(call.values);
  const reels = [...world.posts.values()]
    .filter((post) => post.account_id === page.id && post.kind === 'reel' && within(post.created_at))
    .flatMap((post) => videos(world).get(post.details['video_id'] as string) ?? [])
    .reverse();
  const fields = parseFields(text(call.values, 'fields'));
  return pageOf(
    call,
    call.values,
    reels,
    (video) => video.id,
    (video) => select('Video', videoNode(world, video, caller), fields, ['updated_time', 'description', 'id']),
  );
}

function listComments(call: GraphCall, sandbox: Sandbox) {
  const caller = session(call, call.values, sandbox);
  const post = findPost(sandbox.world, call.params['object_id']!);
  if (!post) throw noSuchObject('GET', call.params['object_id']!);
  requirePageToken(caller, post.account_id);
  requireScope(caller, 'pages_read_engagement');
  const fields = parseFields(text(call.values, 'fields'));
  return pageOf(
    call,
    call.values,
    repliesTo(sandbox.world, post.id),
    (one) => one.id,
    (one) => select('Comment', commentNode(one), fields, ['created_time', 'message', 'id']),
  );
}

function getObject(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const caller = session(call, call.values, sandbox);
  const fields = parseFields(text(call.values, 'fields'));
  const requested = call.params['object_id']!;
  if (requested === person.id || (requested === 'me' && caller.token.kind !== 'page'))
    return select('User', { ...person }, fields, ['name', 'id']);
  const id = requested === 'me' ? caller.token.account_id! : requested;
  const page = world.accounts.get(id);
  const photo = photos(world).get(id);
  const video = videos(world).get(id);
  const post = world.posts.get(id);
  if (page?.platform === 'facebook' && caller.grant.account_ids.includes(id))
    return select('Page', pageNode(world, page, caller), fields, ['name', 'id']);
  if (photo && owns(caller, photo.page_id)) return select('Photo', photoNode(world, photo), fields, ['created_time', 'id']);
  if (video && owns(caller, video.page_id))
    return select('Video', videoNode(world, video, caller), fields, ['updated_time', 'description', 'id']);
  if (post?.platform === 'facebook' && owns(caller, post.account_id) && ['live', 'unpublished'].includes(postState(post, world.now()))) {
    const comment = post.kind === 'comment';
    return select(comment ? 'Comment' : 'Post', comment ? commentNode(post) : postNode(world, post, caller), fields, [
      'created_time',
      'message',
      'id',
    ]);
  }
  throw noSuchObject('GET', id);
}

function deleteObject(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const caller = session(call, call.values, sandbox);
  const id = call.params['object_id']!;
  const photo = photos(world).get(id);
  const post = world.posts.get(id);
  const video = videos(world).get(id);
  const owner = photo?.page_id ?? video?.page_id ?? (post?.platform === 'facebook' ? post.account_id : undefined);
  if (owner === undefined) throw noSuchObject('DELETE', id);
  requirePageToken(caller, owner);
  requireScope(caller, 'pages_manage_posts');
  const postId = photo?.post_id ?? video?.post_id;
  if (postId) deletePost(world, postId);
  photos(world).delete(id);
  videos(world).delete(id);
  deletePost(world, id);
  return { success: true };
}

function readablePage(call: GraphCall, sandbox: Sandbox): Account {
  const caller = session(call, call.values, sandbox);
  const requested = call.params['page_id']!;
  const page = sandbox.world.accounts.get(requested === 'me' ? (caller.token.account_id ?? requested) : requested);
  if (page?.platform !== 'facebook') throw noSuchObject('GET', requested);
  requirePageToken(caller, page.id);
  requireScope(caller, 'pages_read_engagement');
  return page;
}

const owns = (caller: Session, pageId: string) =>
  caller.token.account_id === pageId || (caller.token.kind !== 'page' && caller.grant.account_ids.includes(pageId));
