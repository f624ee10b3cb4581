import { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { globMatches } from '../faults/glob.ts';
import { platformNames } from '../platforms/registry.ts';
import { simulatedNames } from '../simulated.ts';
import { postState, repliesTo, type Post } from '../world/post.ts';
import type { World } from '../world/world.ts';
import { checked } from './control-error.ts';

const limit = z.coerce.number().int().min(1).max(20_000);
const platform = z.enum(platformNames).optional();
const requestsQuery = z.strictObject({
  platform: z.enum(simulatedNames).optional(),
  /** A sequence number (exclusive) or a time. */
  since: z.union([z.coerce.number().int().min(0), z.iso.datetime({ offset: true })]).optional(),
  path: z.string().min(1).optional(),
  limit: limit.default(1000),
});
const postsQuery = z.strictObject({ platform, account: z.string().min(1).optional(), limit: limit.default(1000) });

export function recordRoutes(context: Context): Router {
  const { journal, world } = context;
  const router = Router();

  router.get(
    '/health',
    (_request, response) => void response.json({ status: 'ok', accounts: world.accounts.size, posts: world.posts.size }),
  );
  router.get('/requests', (request, response) => {
    const { since, path, ...rest } = checked(requestsQuery, request.query);
    const items = journal.list({
      ...rest,
      ...(path !== undefined && { matches: (one) => (path.includes('*') ? globMatches(path, one) : one.includes(path)) }),
      ...(typeof since === 'number' ? { afterSeq: since } : since !== undefined && { notBefore: new Date(since).toISOString() }),
    });
    response.json({ items });
  });
  router.delete('/requests', (_request, response) => {
    journal.clear();
    response.json({ status: 'deleted' });
  });
  router.get('/posts', (request, response) => {
    const query = checked(postsQuery, request.query);
    const posts = [...world.posts.values()].filter(
      (post) =>
        isOnTop(world, post) &&
        (!query.platform || post.platform === query.platform) &&
        (!query.account || belongsTo(world, post, query.account)),
    );
    response.json({ items: posts.slice(-query.limit).map((post) => shownPost(world, post)) });
  });
  router.delete('/posts', (_request, response) => {
    world.posts.clear();
    world.touched();
    response.json({ status: 'deleted' });
  });
  router.post('/reset', (_request, response) => {
    context.reset();
    response.json({ status: 'reset' });
  });
  return router;
}

/** A comment is shown under its post, unless the post was deleted. */
export const isOnTop = (world: World, post: Post) => post.reply_to === null || !world.posts.has(post.reply_to);

/** By id or by username. */
const belongsTo = (world: World, post: Post, account: string) =>
  post.account_id === account || world.accounts.get(post.account_id)?.username === account;

function shownPost(world: World, post: Post): Record<string, unknown> {
  const { id, platform: on, account_id, kind, text, link, reply_to, url, created_at, details } = post;
  return {
    id,
    platform: on,
    account_id,
    username: world.accounts.get(account_id)?.username ?? null,
    kind,
    state: postState(post, world.now()),
    text,
    link,
    media: post.media_ids.flatMap((mediaId) => {
      const media = world.media.get(mediaId);
      if (!media) return [];
      const { preview, ...properties } = media;
      return { ...properties, thumbnail_url: preview === null ? null : `/_control/media/${media.id}` };
    }),
    reply_to,
    url,
    created_at,
    details,
    comments: repliesTo(world, id).map((reply) => shownPost(world, reply)),
  };
}
