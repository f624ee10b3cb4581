import { followersOf } from '../../world/statistics.ts';
import { livePostsOf, repliesTo, type Post } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import { parseFields, select, type Node } from '../graph/fields.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { graphTime, pageOf, paging, timedPaging, timeWindow } from '../graph/paging.ts';
import { text } from '../graph/params.ts';
import { session } from '../graph/session.ts';
import { noSuchObject } from '../graph/errors.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { accessTo } from './access.ts';
import { graphHosts, statusOf } from './containers.ts';
import { hosts } from './limits.ts';
import { mediaNode } from './media-node.ts';
import { containers, type Container } from './state.ts';

const isPost = (call: { params: Record<string, string> }, { world }: Sandbox, name: string) =>
  world.posts.get(call.params[name]!)?.platform === 'instagram';
const isAccount = (call: { params: Record<string, string> }, { world }: Sandbox) =>
  world.accounts.get(call.params['id']!)?.platform === 'instagram';

export const readOperations: Operation[] = [
  graphOperation('instagram', {
    name: 'instagram.list_media',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{account_id}/media',
    takes: timedPaging,
    handle: listMedia,
  }),
  graphOperation('instagram', {
    name: 'instagram.list_stories',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{account_id}/stories',
    takes: paging,
    handle: listMedia,
  }),
  graphOperation('instagram', {
    name: 'instagram.list_comments',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{media_id}/comments',
    when: (call, sandbox) => isPost(call, sandbox, 'media_id'),
    takes: paging,
    handle: listComments,
  }),
  graphOperation('instagram', {
    name: 'instagram.get_me',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/me',
    takes: ['fields'],
    handle: getMe,
  }),
  graphOperation('instagram', {
    name: 'instagram.get_account',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{id}',
    when: isAccount,
    takes: ['fields'],
    handle: getAccount,
  }),
  graphOperation('instagram', {
    name: 'instagram.get_container',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{id}',
    when: (call, { world }) => containers(world).has(call.params['id']!),
    takes: ['fields'],
    handle: getContainer,
  }),
  graphOperation('instagram', {
    name: 'instagram.get_media',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{id}',
    when: (call, sandbox) => isPost(call, sandbox, 'id'),
    takes: ['fields'],
    handle: getMedia,
  }),
  graphOperation('instagram', {
    name: 'instagram.get_object',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/{id}',
    takes: ['fields'],
    handle: getNothing,
  }),
];

function listMedia(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const account = accessTo(call, sandbox, call.params['account_id']!, 'basic');
  const within = timeWindow(call.values);
  const stories = call.path.endsWith('/stories');
  const dayAgo = new Date(world.now() - 24 * 3600 * 1000).toISOString();
  const posts = livePostsOf(world, account.id).filter(
    (post) =>
      post.reply_to === null && (post.kind === 'story') === stories && (!stories || post.created_at > dayAgo) && within(post.created_at),
  );
  const fields = parseFields(text(call.values, 'fields'));
  return pageOf(
    call,
    call.values,
    posts,
    (post) => post.id,
    (post) => select('ShadowIGMedia', mediaNode(world, post), fields, ['id']),
  );
}

function listComments(call: GraphCall, sandbox: Sandbox) {
  const post = sandbox.world.posts.get(call.params['media_id']!)!;
  const account = accessTo(call, sandbox, post.account_id, 'basic');
  const fields = parseFields(text(call.values, 'fields'));
  const node = (one: Post): Node => ({
    id: one.id,
    text: one.text,
    timestamp: graphTime(one.created_at),
    username: account.username,
    like_count: 0,
  });
  return pageOf(
    call,
    call.values,
    repliesTo(sandbox.world, post.id),
    (one) => one.id,
    (one) => select('IGComment', node(one), fields, ['timestamp', 'text', 'id']),
  );
}

/** With Instagram Login, `id` is scoped to the app, and `user_id` is that of the professional account. */
function getMe(call: GraphCall, sandbox: Sandbox) {
  const account = accessTo(call, sandbox, 'me', 'basic');
  const node = { ...accountNode(sandbox.world, account), id: `26${account.id.slice(2)}`, user_id: account.id, account_type: 'BUSINESS' };
  return select('IGUser', node, parseFields(text(call.values, 'fields')), ['id']);
}

function getAccount(call: GraphCall, sandbox: Sandbox) {
  const account = accessTo(call, sandbox, call.params['id']!, 'basic');
  return select('IGUser', accountNode(sandbox.world, account), parseFields(text(call.values, 'fields')), ['id']);
}

function getContainer(call: GraphCall, sandbox: Sandbox) {
  const container = containers(sandbox.world).get(call.params['id']!)!;
  accessTo(call, sandbox, container.account_id, 'basic');
  return select('ShadowIGMediaBuilder', containerNode(container, sandbox.world.now()), parseFields(text(call.values, 'fields')), ['id']);
}

function getMedia(call: GraphCall, sandbox: Sandbox) {
  const post = sandbox.world.posts.get(call.params['id']!)!;
  accessTo(call, sandbox, post.account_id, 'basic');
  return select('ShadowIGMedia', mediaNode(sandbox.world, post), parseFields(text(call.values, 'fields')), ['id']);
}

function getNothing(call: GraphCall, sandbox: Sandbox) {
  session(call, call.values, sandbox);
  throw noSuchObject('GET', call.params['id']!);
}

function accountNode(world: World, account: Account): Node {
  return {
    id: account.id,
    username: account.username,
    name: account.name,
    biography: '',
    followers_count: followersOf(world, account),
    follows_count: 120,
    media_count: livePostsOf(world, account.id).filter((post) => post.reply_to === null && post.kind !== 'story').length,
    profile_picture_url: `https://scontent.cdninstagram.com/${account.id}.jpg`,
    website: undefined,
  };
}

function containerNode(container: Container, now: number): Node {
  const status = statusOf(container, now);
  return { id: container.id, status_code: status.code, status: status.text };
}
