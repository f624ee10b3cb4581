import { json, type Reply } from '../../wire/reply.ts';
import { livePostsOf, postState, type Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postNotFound, invalidRequest, resourceNotFound } from './errors.ts';
import { postQuery, timelineQuery, userFields } from './fields.ts';
import { limits } from './limits.ts';
import { moment } from './moment.ts';
import { userNode } from './nodes.ts';
import { fieldsOf, pick, rendered } from './render.ts';
import { xOperation, type XCall } from './x-operation.ts';

const scopes = ['tweet.read', 'users.read'];

export const readOperations: Operation[] = [
  xOperation({
    name: 'x.get_me',
    method: 'GET',
    path: '/2/users/me',
    scopes,
    rate: 'get_me',
    query: ['user.fields', 'expansions', 'post.fields', 'tweet.fields'],
    handle: getMe,
  }),
  xOperation({
    name: 'x.list_user_posts',
    method: 'GET',
    path: '/2/users/{user_id}/tweets',
    scopes,
    rate: 'list_posts',
    query: timelineQuery,
    handle: listPosts,
  }),
  xOperation({
    name: 'x.get_posts',
    method: 'GET',
    path: '/2/tweets',
    scopes,
    rate: 'get_posts',
    query: ['ids', ...postQuery],
    handle: getPosts,
  }),
  xOperation({ name: 'x.get_post', method: 'GET', path: '/2/tweets/{id}', scopes, rate: 'get_posts', query: postQuery, handle: getPost }),
];

function getMe(call: XCall, { world }: Sandbox): Reply {
  return json(200, { data: pick(userNode(world, call.user), fieldsOf(call, 'user.fields', userFields), ['id', 'name', 'username']) });
}

function listPosts(call: XCall, { world }: Sandbox): Reply {
  const user = world.accounts.get(call.params['user_id']!);
  if (user?.platform !== 'x') throw resourceNotFound(`Could not find user with id: [${call.params['user_id']}].`);
  const { query } = call;
  const size = query.has('max_results') ? Number(query.get('max_results')) : 10;
  if (!Number.isInteger(size) || size < 5 || size > 100)
    throw invalidRequest(`The \`max_results\` query parameter value [${query.get('max_results')}] is not between 5 and 100`);
  const from = moment(call, 'start_time') ?? -Infinity;
  const to = moment(call, 'end_time') ?? Infinity;
  if (from >= to) throw invalidRequest('The `start_time` query parameter value has to be before `end_time`');
  const excluded = fieldsOf(call, 'exclude', ['replies', 'retweets']) ?? [];
  const newest = livePostsOf(world, user.id).slice(0, limits.timelinePosts);
  const posts = newest.filter((post) => {
    const time = Math.floor(Date.parse(post.created_at) / 1000) * 1000;
    const [sinceId, untilId] = [query.get('since_id'), query.get('until_id')];
    const isWithin = time >= from && time < to && (sinceId === null || post.id > sinceId) && (untilId === null || post.id < untilId);
    return isWithin && !(excluded.includes('replies') && post.reply_to);
  });
  const token = query.get('pagination_token');
  const start = token === null ? 0 : posts.findIndex((post) => cursor(post.id) === token);
  if (start < 0) throw invalidRequest('The `pagination_token` query parameter value is not valid');
  const page = posts.slice(start, start + size);
  const next = posts[start + size];
  if (page.length === 0) return json(200, { meta: { result_count: 0 } });
  const { data, includes, errors } = rendered(call, world, page, 'id');
  return json(200, {
    ...{ data, includes, errors },
    meta: {
      result_count: data?.length ?? 0,
      ...(data && { newest_id: page[0]!.id, oldest_id: page.at(-1)!.id }),
      ...(next && { next_token: cursor(next.id) }),
    },
  });
}

/** Up to 100. Posts that do not exist are returned as errors. */
function getPosts(call: XCall, { world }: Sandbox): Reply {
  const ids = call.query.get('ids')?.split(',') ?? [];
  if (ids.length < 1 || ids.length > limits.lookupPosts)
    throw invalidRequest(`The number of values in the \`ids\` query parameter list [${ids.length}] is not between 1 and 100`);
  const wrong = ids.find((id) => !/^\d{1,19}$/.test(id));
  if (wrong !== undefined) throw invalidRequest(`The \`ids\` query parameter value [${wrong}] is not valid`);
  return json(200, lookUp(call, world, [...new Set(ids)], 'ids'));
}

function getPost(call: XCall, { world }: Sandbox): Reply {
  const { data, ...others } = lookUp(call, world, [call.params['id']!], 'id');
  return json(200, { ...(data && { data: data[0] }), ...others });
}

function lookUp(call: XCall, world: World, ids: readonly string[], parameter: string) {
  const existing = new Map(ids.flatMap((id) => postOf(world, id) ?? []).map((post) => [post.id, post]));
  const { data, includes, errors = [] } = rendered(call, world, [...existing.values()], parameter);
  const missing = ids.filter((id) => !existing.has(id)).map((id) => postNotFound(parameter, id));
  const all = [...missing, ...errors];
  return { data, includes, ...(all.length > 0 && { errors: all }) };
}

function postOf(world: World, id: string): Post | undefined {
  const post = world.posts.get(id);
  return post?.platform === 'x' && postState(post, world.now()) === 'live' ? post : undefined;
}

const cursor = (id: string) => Buffer.from(`t${id}`).toString('base64url');
