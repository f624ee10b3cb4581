import { addPost, type Post } from '../../world/post.ts';
import type { Account } from '../../world/world.ts';
import { invalidParameter, noSuchObject } from '../graph/errors.ts';
import { parseFields, select } from '../graph/fields.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { pageOf } from '../graph/paging.ts';
import { requiredText, text } from '../graph/params.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { accessTo } from './access.ts';
import { graphHosts, statusOf } from './containers.ts';
import { rejectMedia } from './errors.ts';
import { limits } from './limits.ts';
import { containers, newInstagramId, type Container } from './state.ts';

export const publishOperations: Operation[] = [
  graphOperation('instagram', {
    name: 'instagram.publish_container',
    hosts: graphHosts,
    method: 'POST',
    path: '/{v}/{account_id}/media_publish',
    takes: ['creation_id'],
    handle: publishContainer,
  }),
  graphOperation('instagram', {
    name: 'instagram.get_publishing_limit',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{account_id}/content_publishing_limit',
    takes: ['fields'],
    handle: publishingLimit,
  }),
  graphOperation('instagram', {
    name: 'instagram.create_comment',
    hosts: graphHosts,
    method: 'POST',
    path: '/{v}/{media_id}/comments',
    when: (call, { world }) => world.posts.get(call.params['media_id']!)?.platform === 'instagram',
    takes: ['message'],
    handle: createComment,
  }),
];

function publishContainer(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const account = accessTo(call, sandbox, call.params['account_id']!, 'content_publish');
  const container = containers(world).get(requiredText(call.values, 'creation_id'));
  if (container?.account_id !== account.id || container.carousel_item) throw rejectMedia('container_unknown');
  switch (statusOf(container, world.now()).code) {
    case 'EXPIRED':
      throw rejectMedia('container_expired');
    case 'ERROR':
      throw rejectMedia('create_failed');
    case 'IN_PROGRESS':
    case 'PUBLISHED':
      throw rejectMedia('not_ready');
    case 'FINISHED':
  }
  if (usedQuota(account, sandbox) >= quotaOf(sandbox)) throw rejectMedia('quota');
  const post = publish(container, account, sandbox);
  return { id: post.id };
}

function publish(container: Container, account: Account, { world }: Sandbox): Post {
  const id = newInstagramId(world);
  const shortcode = BigInt(id).toString(36).toUpperCase();
  const kinds = { IMAGE: 'photo', VIDEO: 'video', REELS: 'reel', STORIES: 'story', CAROUSEL: 'carousel' } as const;
  const kind = kinds[container.media_type];
  const path = kind === 'reel' ? `reel/${shortcode}/` : kind === 'story' ? `stories/${account.username}/${id}` : `p/${shortcode}/`;
  container.published_as = id;
  return addPost(world, {
    id,
    platform: 'instagram',
    account_id: account.id,
    kind,
    text: container.caption,
    link: null,
    media_ids: container.media_ids,
    reply_to: null,
    url: `https://www.instagram.com/${path}`,
    details: { shortcode, container_id: container.id, ...container.extras },
  });
}

function publishingLimit(call: GraphCall, sandbox: Sandbox) {
  const account = accessTo(call, sandbox, call.params['account_id']!, 'basic');
  const fields = parseFields(text(call.values, 'fields'));
  const node = { quota_usage: usedQuota(account, sandbox), config: { quota_total: quotaOf(sandbox), quota_duration: 24 * 3600 } };
  return pageOf(
    call,
    {},
    [node],
    () => account.id,
    () => select('ContentPublishingLimitResponse', node, fields, ['quota_usage']),
  );
}

function createComment(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const post = world.posts.get(call.params['media_id']!)!;
  accessTo(call, sandbox, post.account_id, 'manage_comments');
  if (post.kind === 'story') throw invalidParameter('Stories do not take comments');
  if (post.kind === 'comment') throw noSuchObject('POST', post.id);
  const message = requiredText(call.values, 'message');
  if ([...message].length > limits.captionCharacters) throw invalidParameter('Param message is too long');
  const id = newInstagramId(world);
  addPost(world, {
    id,
    platform: 'instagram',
    account_id: post.account_id,
    kind: 'comment',
    text: message,
    link: null,
    media_ids: [],
    reply_to: post.id,
    url: `${post.url}c/${id}/`,
  });
  return { id };
}

const quotaOf = ({ config }: Sandbox) => Math.floor(limits.postsPerDay * config.limitsFactor);

/** Posts of the last 24 hours, rolling; a carousel counts as one. */
function usedQuota(account: Account, { world }: Sandbox): number {
  const dayAgo = world.now() - 24 * 3600 * 1000;
  return [...world.posts.values()].filter(
    (post) => post.account_id === account.id && post.reply_to === null && Date.parse(post.created_at) > dayAgo,
  ).length;
}
