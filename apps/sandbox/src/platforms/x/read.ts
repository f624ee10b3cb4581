import { json, type Reply } from '../../wire/reply.ts';
import { livePostsOf, repliesTo, type Post } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { invalidRequest, resourceNotFound } from './errors.ts';
import { expansions, mediaFields, postFields, postQuery, timelineQuery, tweetFields, userFields } from './fields.ts';
import { readText, type UrlEntity } from './post-text.ts';
import { uploads } from './state.ts';
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
  const excluded = fieldsOf(call, 'exclude', ['replies', 'retweets']) ?? [];
  const posts = livePostsOf(world, user.id).filter((post) => {
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
  return json(200, {
    ...rendered(call, world, page),
    meta: { result_count: page.length, newest_id: page[0]!.id, oldest_id: page.at(-1)!.id, ...(next && { next_token: cursor(next.id) }) },
  });
}

function getPost(call: XCall, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['id']!);
  if (post?.platform !== 'x') {
    const detail = `Could not find tweet with id: [${call.params['id']}].`;
    return json(200, {
      errors: [
        {
          value: call.params['id'],
          detail,
          title: 'Not Found Error',
          resource_type: 'tweet',
          parameter: 'id',
          resource_id: call.params['id'],
          type: 'https://api.x.com/2/problems/resource-not-found',
        },
      ],
    });
  }
  const { data, includes } = rendered(call, world, [post]);
  return json(200, { data: data[0], ...(includes && { includes }) });
}

function rendered(call: XCall, world: World, posts: Post[]) {
  // X responds with the names that were requested.
  const isFormer = call.query.has('tweet.fields') && !call.query.has('post.fields');
  const fields = isFormer ? fieldsOf(call, 'tweet.fields', tweetFields) : fieldsOf(call, 'post.fields', postFields);
  const expanded = fieldsOf(call, 'expansions', expansions) ?? [];
  const media = expanded.includes('attachments.media_keys') ? posts.flatMap((post) => mediaOf(call, world, post)) : [];
  return {
    data: posts.map((post) =>
      pick(
        postNode(world, post),
        [...(fields ?? []), ...expanded.map((name) => name.split('.')[0] ?? '')],
        ['id', 'text', isFormer ? 'edit_history_tweet_ids' : 'edit_history_post_ids'],
      ),
    ),
    includes: media.length ? { media } : undefined,
  };
}

function postNode(world: World, post: Post): Record<string, unknown> {
  const keys = post.details['media_keys'] as string[];
  const { text, urls, note } = readText(post.details['x_text'] as string, post.details['urls'] as UrlEntity[]);
  const metrics = {
    retweet_count: 0,
    reply_count: repliesTo(world, post.id).length,
    like_count: 0,
    quote_count: 0,
    bookmark_count: 0,
    impression_count: 0,
  };
  return {
    id: post.id,
    text,
    ...{ note_post: note, note_tweet: note },
    ...{ edit_history_post_ids: [post.id], edit_history_tweet_ids: [post.id] },
    author_id: post.account_id,
    conversation_id: post.reply_to ?? post.id,
    created_at: `${post.created_at.slice(0, 19)}.000Z`,
    attachments: keys.length ? { media_keys: keys } : undefined,
    entities: urls.length ? { urls } : undefined,
    in_reply_to_user_id: post.reply_to ? post.account_id : undefined,
    ...(post.reply_to && { referenced_posts: referenced(post.reply_to), referenced_tweets: referenced(post.reply_to) }),
    lang: 'en',
    possibly_sensitive: false,
    reply_settings: 'everyone',
    source: 'Sandbox',
    public_metrics: metrics,
    non_public_metrics: { impression_count: 0, url_link_clicks: 0, user_profile_clicks: 0 },
    organic_metrics: metrics,
    promoted_metrics: undefined,
  };
}

const referenced = (id: string) => [{ type: 'replied_to', id }];

function mediaOf(call: XCall, world: World, post: Post): Record<string, unknown>[] {
  const fields = fieldsOf(call, 'media.fields', mediaFields);
  const keys = post.details['media_keys'] as string[];
  return [...uploads(world).values()]
    .filter((upload) => keys.includes(upload.media_key))
    .map((upload) => {
      const media = world.media.get(upload.media_id!);
      const video = media?.kind === 'video';
      const type = upload.category === 'tweet_gif' ? 'animated_gif' : video ? 'video' : 'photo';
      const url = `https://pbs.twimg.com/media/${upload.media_key}.jpg`;
      const node = {
        media_key: upload.media_key,
        type,
        width: media?.width,
        height: media?.height,
        url: video ? undefined : url,
        preview_image_url: video ? url : undefined,
        duration_ms: media?.duration_ms ?? undefined,
        alt_text: media?.alt_text ?? undefined,
        public_metrics: video ? { view_count: 0 } : undefined,
      };
      return pick(node, fields, ['media_key', 'type']);
    });
}

function userNode(world: World, user: Account): Record<string, unknown> {
  const posts = livePostsOf(world, user.id);
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    created_at: user.created_at,
    description: '',
    profile_image_url: `https://pbs.twimg.com/profile_images/${user.id}/normal.jpg`,
    protected: false,
    public_metrics: {
      followers_count: user.followers,
      following_count: 64,
      tweet_count: posts.length,
      listed_count: 2,
      like_count: 0,
      media_count: 0,
    },
    most_recent_tweet_id: posts[0]?.id,
    subscription_type: user.subscription_type ?? 'None',
    url: '',
    verified: false,
    verified_type: 'none',
  };
}

function pick(node: Record<string, unknown>, asked: string[] | null, always: string[]): Record<string, unknown> {
  const names = [...new Set([...always, ...(asked ?? [])])];
  return Object.fromEntries(names.filter((name) => node[name] !== undefined).map((name) => [name, node[name]]));
}

function fieldsOf(call: XCall, parameter: string, known: string[]): string[] | null {
  const asked = call.query.get(parameter)?.split(',') ?? null;
  const unknown = asked?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length)
    throw invalidRequest(
      ...unknown.map((name) => `The \`${parameter}\` query parameter value [${name}] is not one of [${known.join(',')}]`),
    );
  return asked;
}

function moment(call: XCall, name: string): number | null {
  const value = call.query.get(name);
  if (value === null) return null;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) || Number.isNaN(Date.parse(value)))
    throw invalidRequest(`The \`${name}\` query parameter value [${value}] is not a valid RFC 3339 date`);
  return Math.floor(Date.parse(value) / 1000) * 1000;
}

const cursor = (id: string) => Buffer.from(`t${id}`).toString('base64url');
