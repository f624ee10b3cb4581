import { z } from 'zod';
import type { Reply } from '../../wire/reply.ts';
import { progressOf } from '../../world/processing.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { ok, reject } from './errors.ts';
import { isPublic } from './post.ts';
import { tasks } from './state.ts';
import { strict } from './strict.ts';
import { jsonBody, tiktokOperation, type TiktokCall } from './tiktok-operation.ts';

export const statusOperations: Operation[] = [
  tiktokOperation({
    name: 'tiktok.fetch_status',
    method: 'POST',
    path: '/v2/post/publish/status/fetch',
    scopes: ['video.publish', 'video.upload'],
    rate: 'status',
    handle: fetchStatus,
  }),
];

const statusBody = z.strictObject({ publish_id: z.string().min(1) });

/** The post's id appears some time after publishing, after moderation, and only for public posts. */
function fetchStatus(call: TiktokCall, { world, config }: Sandbox): Reply {
  const { publish_id } = strict(statusBody, jsonBody(call));
  const task = tasks(world).get(publish_id);
  if (!task) throw reject(400, 'invalid_publish_id', 'The publish_id does not exist');
  if (task.user_id !== call.user.id) {
    throw reject(400, 'token_not_authorized_for_specified_publish_id', 'The publish_id belongs to another user');
  }
  const post = task.post_id === null ? undefined : world.posts.get(task.post_id);
  const working = task.kind === 'video' ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD';
  const uploaded_bytes = task.upload?.received ?? 0;
  const state = post?.processing ? progressOf(post.processing, world.now()) : 'in_progress';
  if (!post?.processing || state === 'in_progress') return ok({ status: working, publicaly_available_post_id: [], uploaded_bytes });
  if (state === 'failed') {
    const { message: fail_reason } = post.processing.failure!;
    return ok({ status: 'FAILED', fail_reason, publicaly_available_post_id: [], uploaded_bytes });
  }
  if (task.is_draft) return ok({ status: 'SEND_TO_USER_INBOX', publicaly_available_post_id: [], uploaded_bytes });
  const isModerated = isPublic(post) && world.now() >= post.processing.ready_at + config.processingMs;
  return ok({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: isModerated ? [post.id] : [], uploaded_bytes });
}
