import { z } from 'zod';
import { Rejection, type Reply } from '../../wire/reply.ts';
import { countsOf, followersOf } from '../../world/statistics.ts';
import { livePostsOf, type Post } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { invalidParams, ok, scopeNotAuthorized } from './errors.ts';
import { limits } from './limits.ts';
import { isPublic } from './post.ts';
import { strict } from './strict.ts';
import { jsonBody, tiktokOperation, type TiktokCall } from './tiktok-operation.ts';

/** The Display API. */
export const readOperations: Operation[] = [
  tiktokOperation({
    name: 'tiktok.get_user_info',
    method: 'GET',
    path: '/v2/user/info',
    scopes: ['user.info.basic'],
    rate: 'display',
    query: ['fields'],
    handle: getUser,
  }),
  tiktokOperation({
    name: 'tiktok.list_videos',
    method: 'POST',
    path: '/v2/video/list',
    scopes: ['video.list'],
    rate: 'display',
    query: ['fields'],
    handle: listVideos,
  }),
  tiktokOperation({
    name: 'tiktok.query_videos',
    method: 'POST',
    path: '/v2/video/query',
    scopes: ['video.list'],
    rate: 'display',
    query: ['fields'],
    handle: queryVideos,
  }),
];

/** The scope that each field requires. */
const userFields: Record<string, readonly string[]> = {
  'user.info.basic': ['open_id', 'union_id', 'avatar_url', 'avatar_url_100', 'avatar_large_url', 'display_name'],
  'user.info.profile': ['bio_description', 'profile_deep_link', 'is_verified', 'username'],
  'user.info.stats': ['follower_count', 'following_count', 'likes_count', 'video_count'],
};
const videoFields = [
  'id',
  'title',
  'video_description',
  'create_time',
  'duration',
  'cover_image_url',
  'share_url',
  'embed_html',
  'embed_link',
  'width',
  'height',
  'view_count',
  'like_count',
  'comment_count',
  'share_count',
  'is_aigc',
];
const listBody = z.strictObject({ max_count: z.int().min(1).max(limits.listSize).optional(), cursor: z.int().min(0).optional() });
const queryBody = z.strictObject({ filters: z.strictObject({ video_ids: z.array(z.string()).min(1).max(limits.listSize) }) });

function getUser(call: TiktokCall, { world }: Sandbox): Reply {
  const { user, grant } = call;
  const requested = fieldsOf(call, Object.values(userFields).flat());
  for (const [scope, fields] of Object.entries(userFields)) {
    if (!grant.scopes.includes(scope) && requested.some((field) => fields.includes(field))) {
      throw new Rejection(scopeNotAuthorized());
    }
  }
  const posts = publicPosts(call, world);
  const avatar = `https://p16-sign.tiktokcdn.com/${user.id}.webp`;
  const node: Record<string, unknown> = {
    open_id: user.id,
    union_id: `union${user.id}`,
    avatar_url: avatar,
    avatar_url_100: avatar,
    avatar_large_url: avatar,
    display_name: user.name,
    bio_description: '',
    profile_deep_link: `https://www.tiktok.com/@${user.username}`,
    is_verified: false,
    username: user.username,
    follower_count: followersOf(world, user),
    following_count: 31,
    likes_count: posts.reduce((sum, post) => sum + countsOf(world, post).likes, 0),
    video_count: posts.length,
  };
  return ok({ user: pick(node, requested) });
}

/** `cursor` is a time: older videos follow. */
function listVideos(call: TiktokCall, { world }: Sandbox): Reply {
  const { max_count = 10, cursor = Infinity } = strict(listBody, jsonBody(call));
  const requested = fieldsOf(call, videoFields);
  const older = publicPosts(call, world).filter((post) => Date.parse(post.created_at) < cursor);
  const page = older.slice(0, max_count);
  const last = page.at(-1);
  return ok({
    videos: page.map((post) => pick(videoNode(world, post), requested)),
    cursor: last ? Date.parse(last.created_at) : 0,
    has_more: older.length > page.length,
  });
}

function queryVideos(call: TiktokCall, { world }: Sandbox): Reply {
  const { filters } = strict(queryBody, jsonBody(call));
  const requested = fieldsOf(call, videoFields);
  const found = publicPosts(call, world).filter(({ id }) => filters.video_ids.includes(id));
  return ok({ videos: found.map((post) => pick(videoNode(world, post), requested)) });
}

function publicPosts({ user }: TiktokCall, world: Sandbox['world']): Post[] {
  return livePostsOf(world, user.id).filter(isPublic);
}

function videoNode(world: Sandbox['world'], post: Post): Record<string, unknown> {
  const media = world.media.get(post.media_ids[0] ?? '');
  const { title = '', description = '' } = post.details as { title?: string; description?: string };
  const counts = countsOf(world, post);
  const shown = (text: string) => text.slice(0, limits.shownCharacters);
  return {
    id: post.id,
    title: shown(title),
    video_description: shown(post.kind === 'video' ? title : description),
    create_time: Math.floor(Date.parse(post.created_at) / 1000),
    duration: Math.round((media?.duration_ms ?? 0) / 1000),
    cover_image_url: `https://p16-sign.tiktokcdn.com/${post.id}.jpeg`,
    share_url: post.url,
    embed_html: '',
    embed_link: `https://www.tiktok.com/player/v1/${post.id}`,
    width: media?.width ?? 0,
    height: media?.height ?? 0,
    view_count: counts.views,
    like_count: counts.likes,
    comment_count: counts.comments,
    share_count: counts.shares,
    is_aigc: post.details['is_aigc'] === true,
  };
}

function fieldsOf({ query }: TiktokCall, known: readonly string[]): string[] {
  const requested = (query.get('fields') ?? '').split(',');
  const unknown = requested.filter((field) => !known.includes(field));
  if (unknown.length > 0) throw invalidParams(`fields: ${unknown.join(',') || 'at least one is required'} is not a valid field`);
  return requested;
}

const pick = (node: Record<string, unknown>, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, node[name]]));
