import { json, type Reply } from '../../wire/reply.ts';
import { livePostsOf, type Post } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { isOrganization } from './accounts.ts';
import { accessDenied, illegalArgument, reject } from './errors.ts';
import { memberOperation, type MemberCall } from './linkedin-operation.ts';
import { page } from './paging.ts';

/** Only posts of pages: the permission to read a member's posts is not available. */
export const readOperations: Operation[] = [
  memberOperation({
    name: 'linkedin.list_posts',
    method: 'GET',
    path: '/rest/posts',
    scopes: ['r_organization_social'],
    query: ['q', 'author', 'count', 'start', 'sortBy', 'isDsc'],
    finder: true,
    handle: listPosts,
  }),
  memberOperation({
    name: 'linkedin.get_post',
    method: 'GET',
    path: '/rest/posts/{urn}',
    scopes: ['r_organization_social'],
    query: ['viewContext'],
    handle: getPost,
  }),
];

function listPosts(call: MemberCall, { world }: Sandbox): Reply {
  const author = call.query.get('author') ?? '';
  const order = call.query.get('sortBy') ?? 'LAST_MODIFIED';
  if (call.query.get('q') !== 'author') throw illegalArgument('q has to be author');
  if (order !== 'LAST_MODIFIED' && order !== 'CREATED') throw illegalArgument('sortBy has to be LAST_MODIFIED or CREATED');
  checkReadable(call, author);
  const posts = livePostsOf(world, author).filter(({ reply_to }) => reply_to === null);
  return json(200, page(call, posts.map(postNode)));
}

function getPost(call: MemberCall, { world }: Sandbox): Reply {
  const urn = call.params['urn']!;
  const post = world.posts.get(urn);
  if (post?.platform !== 'linkedin' || post.reply_to !== null) throw reject(404, 'RESOURCE_NOT_FOUND', `Could not find entity ${urn}`);
  checkReadable(call, post.account_id);
  return json(200, postNode(post));
}

function checkReadable(call: MemberCall, author: string): void {
  if (!isOrganization(author) || !call.grant.account_ids.includes(author))
    throw accessDenied(`Not enough permissions to read posts of ${author}`);
}

function postNode({ id, account_id, created_at, details }: Post): Record<string, unknown> {
  const at = Date.parse(created_at);
  return {
    id,
    author: account_id,
    commentary: details['commentary'],
    visibility: details['visibility'],
    ...(details['content'] !== null && { content: details['content'] }),
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    createdAt: at,
    publishedAt: at,
    lastModifiedAt: at,
  };
}
