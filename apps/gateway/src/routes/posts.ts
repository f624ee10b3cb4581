import type { Post } from '@fanfare/contracts/content';
import { z } from 'zod';
import { access } from '../access.ts';
import { createPostBody, toCreatePostRequest } from '../resources/create-post-body.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../resources/page.ts';
import { POST_STATUSES, statusToProto } from '../resources/post-status.ts';
import { post as postResource, postFromProto } from '../resources/post.ts';
import { publishPostBody } from '../resources/publish-post-body.ts';
import { route } from '../route.ts';

const business = { business_id: z.uuid() };
const onePost = { ...business, post_id: z.string() };
const posts = { tag: 'Posts', scope: 'business', resource: 'post' } as const;

/** Content fetches media within the request: 25 s for each URL, all at once, and the time to store them. */
const CREATE_TIMEOUT_MS = 45_000;

export const createPost = route({
  ...posts,
  method: 'post',
  path: '/api/businesses/{business_id}/posts',
  operationId: 'create_post',
  access: access.write,
  idempotent: true,
  summary: 'Create a post',
  params: business,
  query: {},
  body: createPostBody,
  returns: postResource,
  status: 201,
  async handler({ content, urls }, { body, call, ids }) {
    const request = toCreatePostRequest(body, { operationId: ids.operationId, postId: ids.resourceId });
    const { post } = await content.createPost(request, { call, timeoutMs: CREATE_TIMEOUT_MS });
    const created = present(post);
    return { body: postFromProto(created, urls), location: pathOf(created), revision: created.revision };
  },
});

export const listPosts = route({
  ...posts,
  method: 'get',
  path: '/api/businesses/{business_id}/posts',
  operationId: 'list_posts',
  access: access.read,
  self: 'page',
  summary: 'List posts',
  description: 'Newest first.',
  params: business,
  query: {
    status: z
      .union([z.string(), z.array(z.string())])
      .transform((given) => [given].flat())
      .pipe(z.array(z.enum(POST_STATUSES, { error: `must be one of ${POST_STATUSES.join(', ')}` })))
      .default([])
      .meta({
        type: 'array',
        items: { type: 'string', enum: [...POST_STATUSES] },
        default: undefined,
        description: 'Only these; repeat it.',
      }),
    limit: limitParam(20),
    cursor: cursorParam(),
  },
  returns: pageOf(postResource, 'PostPage'),
  status: 200,
  async handler({ content, urls }, { query, call }) {
    const request = { statuses: [...new Set(query.status)].map(statusToProto), pageSize: query.limit, pageToken: query.cursor };
    const { posts, nextPageToken } = await content.listPosts(request, { call });
    return { body: { items: posts.map((one) => postFromProto(one, urls)), next: nextOf(nextPageToken) } };
  },
});

export const getPost = route({
  ...posts,
  method: 'get',
  path: '/api/businesses/{business_id}/posts/{post_id}',
  operationId: 'get_post',
  access: access.read,
  self: 'resource',
  summary: 'Get a post',
  description: 'With `publish_results`: poll it until every entry is `success` or `failed`.',
  params: onePost,
  query: {},
  returns: postResource,
  status: 200,
  async handler({ content, urls }, { params, call }) {
    const { post } = await content.getPost({ postId: params.post_id }, { call });
    const found = present(post);
    return { body: postFromProto(found, urls), revision: found.revision };
  },
});

export const publishPost = route({
  ...posts,
  method: 'post',
  path: '/api/businesses/{business_id}/posts/{post_id}/publish',
  operationId: 'publish_post',
  access: access.write,
  idempotent: true,
  summary: 'Publish a post now',
  description: 'Publishes in the background. The answer shows a pending result for every target; poll the post at `Location`.',
  params: onePost,
  query: {},
  body: publishPostBody,
  returns: postResource,
  status: 202,
  async handler({ content, urls }, { params, body, call, ids }) {
    const { post } = await content.publishPost(
      {
        operationId: ids.operationId,
        publicationId: ids.resourceId,
        postId: params.post_id,
        restrictPublishTo: body.restrict_publish_to ?? [],
        restrictPublishToIntegrationIds: body.restrict_publish_to_integration_ids ?? [],
        confirmNotPublished: body.confirm_not_published ?? false,
      },
      { call },
    );
    const published = present(post);
    return { body: postFromProto(published, urls), location: pathOf(published), revision: published.revision };
  },
});

const pathOf = ({ businessId, id }: Post) => `/api/businesses/${businessId}/posts/${id}`;

/** @throws Error when content answers without the post that it promises */
function present(post: Post | undefined): Post {
  if (!post) throw new Error('The content service answered without a post.');
  return post;
}
