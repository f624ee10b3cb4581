import { z } from 'zod';
import { json, type Reply } from '../../wire/reply.ts';
import { addPost, deletePost, findLivePost } from '../../world/post.ts';
import { progressOf } from '../../world/processing.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { forbidden, invalidRequest, notAuthorizedForResource } from './errors.ts';
import { communities, limits } from './limits.ts';
import { cashtagsIn, shortenLinks, weighted } from './post-text.ts';
import { newXId, uploads, type Upload } from './state.ts';
import { strict } from './strict.ts';
import { jsonBody, xOperation, type XCall } from './x-operation.ts';

export const publishOperations: Operation[] = [
  xOperation({
    name: 'x.create_post',
    method: 'POST',
    path: '/2/tweets',
    scopes: ['tweet.read', 'tweet.write', 'users.read'],
    rate: 'create_post',
    handle: createPost,
  }),
  xOperation({
    name: 'x.delete_post',
    method: 'DELETE',
    path: '/2/tweets/{id}',
    scopes: ['tweet.read', 'tweet.write', 'users.read'],
    rate: 'delete_post',
    handle: deleteTweet,
  }),
];

const id = z.string().regex(/^\d{1,19}$/, 'does not match the regex pattern ^[0-9]{1,19}$');
/** Of a post; a poll has no `verified`. */
const replySettings = z.enum(['following', 'mentionedUsers', 'subscribers', 'verified']);
const postBody = z.strictObject({
  text: z.string().optional(),
  media: z
    .strictObject({
      media_ids: z.array(id).min(1).max(4, 'there must be a maximum of 4 items in the array'),
      tagged_user_ids: z.array(id).max(10).optional(),
    })
    .optional(),
  reply: z
    .strictObject({
      in_reply_to_tweet_id: id,
      exclude_reply_user_ids: z.array(id).optional(),
      auto_populate_reply_metadata: z.boolean().optional(),
    })
    .optional(),
  quote_tweet_id: id.optional(),
  poll: z
    .strictObject({
      options: z.array(z.string().min(1).max(25)).min(2).max(4),
      duration_minutes: z.number().int().min(5).max(10_080),
      reply_settings: replySettings.exclude(['verified']).optional(),
    })
    .optional(),
  reply_settings: replySettings.optional(),
  made_with_ai: z.boolean().optional(),
  paid_partnership: z.boolean().optional(),
  community_id: id.optional(),
  for_super_followers_only: z.boolean().optional(),
  nullcast: z.boolean().optional(),
  share_with_followers: z.boolean().optional(),
  direct_message_deep_link: z.string().optional(),
  geo: z.strictObject({ place_id: z.string() }).optional(),
  card_uri: z.string().optional(),
});

function createPost(call: XCall, { world }: Sandbox): Reply {
  const body = strict(postBody, jsonBody(call));
  const { user } = call;
  const text = (body.text ?? '').trim();
  if ([body.media, body.poll, body.quote_tweet_id].filter((one) => one !== undefined).length > 1)
    throw invalidRequest('media, poll and quote_tweet_id exclude each other.');
  if (body.poll && !text) throw invalidRequest('text: is required with a poll.');
  if (!text && !body.media) throw invalidRequest('text: is required when there is no media.');
  const longest = user.subscription_type === 'Premium' ? limits.premiumCharacters : limits.characters;
  const length = weighted(text).weightedLength;
  if (length > longest) throw invalidRequest(`text: the weighted length ${length} exceeds ${longest}.`);
  if (/[\uFFFE\uFEFF\uFFFF]/.test(text)) throw invalidRequest('text: contains characters that are not allowed.');
  if (cashtagsIn(text).length > 1) throw invalidRequest('text: at most one cashtag is allowed.');
  const attached = (body.media?.media_ids ?? []).map((mediaId) => readyUpload(call, world, mediaId));
  if (attached.length > 1 && attached.some((one) => one.category !== 'tweet_image'))
    throw invalidRequest('media.media_ids: a post takes 4 images, or 1 GIF, or 1 video.');
  const stranger = body.media?.tagged_user_ids?.find((userId) => world.accounts.get(userId)?.platform !== 'x');
  if (stranger !== undefined) throw invalidRequest(`media.tagged_user_ids: could not find user with id: [${stranger}].`);
  if (body.community_id !== undefined && !communities.includes(body.community_id))
    throw forbidden('You are not permitted to create a Post in this Community.');
  const replied = body.reply ? repliedTo(call, world, body.reply.in_reply_to_tweet_id) : null;
  if (!body.media) rejectDuplicate(call, world, text);
  const postId = newXId(world);
  const address = `https://x.com/${user.username}/status/${postId}`;
  const video = attached.some((one) => one.category !== 'tweet_image');
  const kept = shortenLinks(
    text,
    postId,
    attached.length ? { address: `${address}/${video ? 'video' : 'photo'}/1`, mediaKeys: attached.map((one) => one.media_key) } : null,
  );
  const post = addPost(world, {
    id: postId,
    platform: 'x',
    account_id: user.id,
    kind: replied ? 'reply' : attached.length === 0 ? 'text' : video ? 'video' : attached.length > 1 ? 'album' : 'photo',
    text,
    link: null,
    media_ids: attached.map((one) => one.media_id!),
    reply_to: replied,
    url: address,
    details: { x_text: kept.text, urls: kept.urls, media_keys: attached.map((one) => one.media_key), ...chosen(body) },
  });
  return json(201, { data: { id: post.id, text: kept.text, edit_history_post_ids: [post.id] } });
}

/** The caller's other options, shown with the post. */
function chosen({ reply_settings, made_with_ai, paid_partnership, poll, community_id }: z.infer<typeof postBody>) {
  const given = { reply_settings, made_with_ai, paid_partnership, poll, community_id };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** X does not document how it responds for a post that does not exist: like for one of another user. */
function deleteTweet(call: XCall, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['id']!);
  if (post?.platform !== 'x' || post.account_id !== call.user.id)
    throw notAuthorizedForResource(`Sorry, you are not authorized to delete the Post with id: [${call.params['id']}].`);
  deletePost(world, post.id);
  return json(200, { data: { deleted: true } });
}

function readyUpload(call: XCall, world: Sandbox['world'], mediaId: string): Upload {
  const upload = uploads(world).get(mediaId);
  const now = world.now();
  const ready =
    upload?.state === 'finalized' &&
    upload.media_id !== null &&
    (upload.processing === null || progressOf(upload.processing, now) === 'finished');
  if (!ready || upload.user_id !== call.user.id || upload.expires_at <= now) throw invalidRequest('Your media IDs are invalid.');
  return upload;
}

/** Self-serve apps may reply only where the user was mentioned, or to the user's own posts. */
function repliedTo(call: XCall, world: Sandbox['world'], postId: string): string {
  const post = world.posts.get(postId);
  if (post?.platform !== 'x') throw forbidden('You attempted to reply to a Post that is deleted or not visible to you.');
  if (post.account_id !== call.user.id)
    throw forbidden(
      'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
    );
  return post.id;
}

function rejectDuplicate(call: XCall, world: Sandbox['world'], text: string): void {
  const since = world.now() - limits.duplicateWindowMs;
  const same = findLivePost(
    world,
    call.user.id,
    (post) => post.text === text && post.media_ids.length === 0 && Date.parse(post.created_at) > since,
  );
  if (same) throw forbidden('You are not allowed to create a Tweet with duplicate content.');
}
