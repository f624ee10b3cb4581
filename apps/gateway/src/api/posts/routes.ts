import { postFromProto } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { nextOf, pageOf } from '../common/page.ts';
import { postActionRoutes } from './action-routes.ts';
import { createPostBody, toCreatePostRequest } from './bodies/create-post-body.ts';
import { toUpdatePostRequest, updatePostBody } from './bodies/update-post-body.ts';
import { deletedPost, deletedPostResult } from './deleted-post.ts';
import { post as postResource, postResult } from './post.ts';
import { postChange } from './post-change.ts';
import { exampleCreatePost, examplePost, exampleScheduledPost } from './post-example.ts';
import { postFindings, postFindingsFromProto } from './post-findings.ts';
import { postListQuery, toListPostsRequest } from './post-list-query.ts';

const business = { business_id: z.uuid() };
const onePost = { ...business, post_id: z.string() };
const posts = { tag: 'Posts', scope: 'business', path: '/api/businesses/{business_id}/posts', resource: 'post' } as const;
const post = { ...posts, path: `${posts.path}/{post_id}`, params: onePost, query: {} } as const;

/** The content service fetches media during the request: up to 25 s for all URLs in parallel, plus the time to store them. */
const FETCH_TIMEOUT_MS = 45_000;

const createPost = route({
  ...posts,
  method: 'post',
  operationId: 'create_post',
  sdkMethod: 'posts.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a post',
  description:
    'Saves a post. It is published when you call `publish_post` or, with status SCHEDULED, at `scheduled_publish_time` or by its queue.',
  params: business,
  query: {},
  body: createPostBody,
  returns: postResource,
  status: 201,
  examples: {
    body: exampleCreatePost,
    response: exampleScheduledPost,
  },
  async handler({ content, urls }, { body, call, ids }) {
    const request = toCreatePostRequest(body, { operationId: ids.operationId, postId: ids.resourceId });
    return postResult((await content.createPost(request, { call, timeoutMs: FETCH_TIMEOUT_MS })).post, urls);
  },
});

const validatePost = route({
  ...posts,
  method: 'post',
  path: `${posts.path}/validate`,
  operationId: 'validate_post',
  sdkMethod: 'posts.validate',
  access: access.read,
  summary: 'Validate a post',
  description:
    'A dry run of `create_post` with the same body. Returns every problem with the post, for creating and for publishing it. Nothing is saved, and URLs are not downloaded.',
  params: business,
  query: {},
  body: createPostBody,
  returns: postFindings,
  status: 200,
  examples: {
    body: { caption: '$FLR and $RYE are up, and so is our bread.', restrict_publish_to: ['x'] },
    response: {
      valid: false,
      findings: [
        {
          rule_id: 'caption_max_cashtags',
          severity: 'error',
          platform: 'x',
          field: 'caption',
          detail: '2 cashtags; at most 1 are allowed.',
          limit: 1,
          value: 2,
          source: 'https://docs.x.com/fundamentals/counting-characters',
          fix: [
            {
              op: 'add',
              path: '/platform_overrides',
              value: [{ platform: 'x', caption: '$FLR and RYE are up, and so is our bread.' }],
            },
          ],
        },
      ],
      fix: [
        {
          op: 'add',
          path: '/platform_overrides',
          value: [{ platform: 'x', caption: '$FLR and RYE are up, and so is our bread.' }],
        },
      ],
    },
  },
  async handler({ content }, { body, call, ids }) {
    const request = toCreatePostRequest(body, { operationId: ids.operationId, postId: ids.resourceId });
    return { body: postFindingsFromProto(await content.validatePost({ post: request }, { call })) };
  },
});

const listPosts = route({
  ...posts,
  method: 'get',
  operationId: 'list_posts',
  sdkMethod: 'posts.list',
  access: access.read,
  self: 'page',
  summary: 'List posts',
  description:
    'Newest first by default; see `sort`. All filters must match. A page can have fewer posts than `limit`, or none, and still have a `next`, because each request searches at most 1,000 posts.',
  params: business,
  query: postListQuery,
  returns: pageOf(postResource, 'PostPage'),
  status: 200,
  examples: { response: { items: [examplePost], next: null } },
  async handler({ content, urls }, { query, call }) {
    const { posts, nextPageToken } = await content.listPosts(toListPostsRequest(query), { call });
    return { body: { items: posts.map((one) => postFromProto(one, urls)), next: nextOf(nextPageToken) } };
  },
});

const getPost = route({
  ...post,
  method: 'get',
  operationId: 'get_post',
  sdkMethod: 'posts.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a post',
  description: 'Returns the post with `publish_results`. Poll it until every entry is `success` or `failed`.',
  returns: postResource,
  status: 200,
  examples: { response: examplePost },
  async handler({ content, urls }, { params, call }) {
    return postResult((await content.getPost({ postId: params.post_id }, { call })).post, urls);
  },
});

const updatePost = route({
  ...post,
  method: 'patch',
  operationId: 'update_post',
  sdkMethod: 'posts.update',
  access: access.write,
  self: 'resource',
  summary: 'Update a post',
  description:
    'Changes only the fields you send; null clears a nullable field. Lists, `metadata` and `platform_overrides` are replaced as a whole. While the post is being published, until every publish result is terminal, the request is rejected with 409 `conflict`; only `repeating_cron: null` alone, which ends its series, is permitted at any time. `status` cannot be changed here: use `schedule`, `unschedule`, `review` and `publish`.',
  body: updatePostBody,
  returns: postResource,
  status: 200,
  errors: ['conflict', 'precondition_failed'],
  examples: {
    body: { caption: 'Fresh bread from six.', link: null },
    response: { ...examplePost, caption: 'Fresh bread from six.', link: null },
  },
  async handler({ content, urls }, { body, call, ...exchange }) {
    const request = toUpdatePostRequest(body, postChange(exchange));
    return postResult((await content.updatePost(request, { call, timeoutMs: FETCH_TIMEOUT_MS })).post, urls);
  },
});

const deletePost = route({
  ...post,
  method: 'delete',
  operationId: 'delete_post',
  sdkMethod: 'posts.delete',
  access: access.write,
  summary: 'Delete a post',
  description:
    'A scheduled post is not published any more; if it is the newest one of its series, the series ends with it. Deleting any other post of a series does not end it: update one of its posts with `repeating_cron: null`. Posts that are already on the platforms stay there, and `still_published` lists them. To remove them, call `unpublish_post` first. Pending removals continue. Rejected with 409 `conflict` while the post is being published.',
  returns: deletedPost,
  status: 200,
  errors: ['conflict', 'precondition_failed'],
  async handler({ content }, { call, ...exchange }) {
    return deletedPostResult((await content.deletePost(postChange(exchange), { call })).post);
  },
});

export const postRoutes: readonly Route[] = [createPost, listPosts, validatePost, getPost, updatePost, deletePost, ...postActionRoutes];
