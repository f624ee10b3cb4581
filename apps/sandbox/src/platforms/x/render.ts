import { type Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import { fieldRejected, invalidRequest } from './errors.ts';
import { expansions, mediaFields, postFields, tweetFields, userFields } from './fields.ts';
import { limits } from './limits.ts';
import { mediaNode, postNode, uploadsOf, userNode, type XNode } from './nodes.ts';
import type { XCall } from './x-operation.ts';

const PRIVATE = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'];

/**
 * Posts with the requested fields, by the names that were requested. Private metrics exist for the author's own posts of the last 30 days: for other
 * posts an error is returned instead of the post.
 * @param parameter the parameter that named the posts
 */
export function rendered(call: XCall, world: World, posts: readonly Post[], parameter: string) {
  const isFormer = call.query.has('tweet.fields') && !call.query.has('post.fields');
  const fields = (isFormer ? fieldsOf(call, 'tweet.fields', tweetFields) : fieldsOf(call, 'post.fields', postFields)) ?? [];
  const expanded = fieldsOf(call, 'expansions', expansions) ?? [];
  const media = fieldsOf(call, 'media.fields', mediaFields) ?? [];
  const users = fieldsOf(call, 'user.fields', userFields);
  const rejected = PRIVATE.find((name) => fields.includes(name));
  const shown = posts.filter((post) => rejected === undefined || hasPrivate(call, world, post));
  const errors = posts.flatMap(({ id }) =>
    rejected === undefined || shown.some((one) => one.id === id) ? [] : fieldRejected(rejected, parameter, id),
  );
  const isHidden = (post: Post) => PRIVATE.some((name) => media.includes(name)) && !hasPrivate(call, world, post);
  const includes = {
    ...(expanded.includes('attachments.media_keys') && {
      media: shown.flatMap((post) =>
        isHidden(post) ? [] : uploadsOf(world, post).map((upload) => pick(mediaNode(world, post, upload), media, ['media_key', 'type'])),
      ),
    }),
    ...(expanded.includes('author_id') && {
      users: [...new Set(shown.map(({ account_id }) => account_id))].flatMap((id) => {
        const user = world.accounts.get(id);
        return user ? [pick(userNode(world, user), users, ['id', 'name', 'username'])] : [];
      }),
    }),
  };
  const data = shown.map((post) =>
    pick(
      postNode(world, post),
      [...fields, ...expanded.map((name) => name.split('.')[0] ?? '')],
      ['id', 'text', isFormer ? 'edit_history_tweet_ids' : 'edit_history_post_ids'],
    ),
  );
  const included = Object.entries(includes).filter(([, nodes]) => nodes.length > 0);
  return {
    data: data.length > 0 ? data : undefined,
    includes: included.length > 0 ? Object.fromEntries(included) : undefined,
    errors: errors.length > 0 ? errors : undefined,
  };
}

const hasPrivate = ({ user }: XCall, world: World, post: Post) =>
  post.account_id === user.id && world.now() - Date.parse(post.created_at) <= limits.privateMetricsMs;

export function pick(node: XNode, requested: string[] | null, always: string[]): XNode {
  const names = [...new Set([...always, ...(requested ?? [])])];
  return Object.fromEntries(names.filter((name) => node[name] !== undefined).map((name) => [name, node[name]]));
}

/** @throws Rejection if X does not have one of the names */
export function fieldsOf(call: XCall, parameter: string, known: string[]): string[] | null {
  const requested = call.query.get(parameter)?.split(',') ?? null;
  const unknown = requested?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length)
    throw invalidRequest(
      ...unknown.map((name) => `The \`${parameter}\` query parameter value [${name}] is not one of [${known.join(',')}]`),
    );
  return requested;
}
