import { z } from 'zod';
import { json, type Reply } from '../../wire/reply.ts';
import { addPost } from '../../world/post.ts';
import { checkedBody } from '../google/google-operation.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { badComment } from './errors.ts';
import { apiHosts, limits, scopesFor } from './limits.ts';
import { partsOf } from './parts.ts';
import { youtubeOperation, type YoutubeCall } from './youtube-operation.ts';

export const commentOperations: Operation[] = [
  youtubeOperation({
    name: 'youtube.insert_comment_thread',
    hosts: apiHosts,
    method: 'POST',
    path: '/youtube/v3/commentThreads',
    scopes: scopesFor.comment,
    query: ['part'],
    cost: { bucket: 'units', units: limits.units.insert },
    handle: insertThread,
  }),
];

const threadBody = z.strictObject({
  snippet: z.strictObject({
    channelId: z.string().optional(),
    videoId: z.string(),
    topLevelComment: z.strictObject({ snippet: z.strictObject({ textOriginal: z.string() }) }),
  }),
});

function insertThread(call: YoutubeCall, { world }: Sandbox): Reply {
  partsOf(call.query, ['id', 'snippet', 'replies']);
  const { snippet } = checkedBody(threadBody, call);
  const text = snippet.topLevelComment.snippet.textOriginal;
  const video = world.posts.get(snippet.videoId);
  const isVisible = video?.details['privacy_status'] !== 'private' || video.account_id === call.channel.id;
  if (video?.platform !== 'youtube' || video.reply_to || !isVisible)
    throw badComment(404, 'videoNotFound', 'The video identified by the videoId parameter could not be found.');
  if (video.details['made_for_kids'] === true || video.details['privacy_status'] === 'private')
    throw badComment(403, 'commentsDisabled', 'The video identified by the videoId parameter has disabled comments.');
  if (text.trim() === '') throw badComment(400, 'commentTextRequired', 'The comment text is empty.');
  if ([...text].length > limits.commentCharacters) throw badComment(400, 'commentTextTooLong', 'The comment text is too long.');
  const id = `Ug${String(world.nextNumber()).padStart(24, '0')}`;
  const comment = addPost(world, {
    id,
    platform: 'youtube',
    account_id: call.channel.id,
    kind: 'comment',
    text,
    link: null,
    media_ids: [],
    reply_to: video.id,
    url: `${video.url}&lc=${id}`,
  });
  const shown = { videoId: video.id, textOriginal: text, authorDisplayName: `@${call.channel.username}`, publishedAt: comment.created_at };
  return json(200, {
    kind: 'youtube#commentThread',
    id,
    snippet: {
      videoId: video.id,
      topLevelComment: { kind: 'youtube#comment', id, snippet: shown },
      canReply: true,
      totalReplyCount: 0,
      isPublic: true,
    },
  });
}
