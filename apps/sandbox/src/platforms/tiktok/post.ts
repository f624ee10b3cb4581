import type { Call } from '../../wire/call.ts';
import { addPost, type Post } from '../../world/post.ts';
import { startProcessing } from '../../world/processing.ts';
import type { Sandbox } from '../platform.ts';
import { newTiktokId, type Task } from './state.ts';

/** A failure without a number; its `fail_reason` is the message. */
export const failed = (reason: string) => ({ code: 0, message: reason });

/**
 * The request is complete: TikTok processes the post by itself and then publishes it.
 * @param work fills in the media, or returns the `fail_reason`
 */
export function publishTask(
  call: Call,
  sandbox: Sandbox,
  task: Task,
  kind: Post['kind'],
  work: (post: Post) => Promise<string | null>,
): void {
  const { world, config } = sandbox;
  const user = world.accounts.get(task.user_id)!;
  const id = newTiktokId(world);
  const post = addPost(world, {
    id,
    platform: 'tiktok',
    account_id: user.id,
    kind,
    text: task.text,
    link: null,
    media_ids: [],
    reply_to: null,
    url: `https://www.tiktok.com/@${user.username}/${task.kind === 'video' ? 'video' : 'photo'}/${id}`,
    details: { ...task.details, publish_id: task.id, ...(task.is_draft && { draft: true }) },
    published: !task.is_draft,
  });
  task.post_id = id;
  post.processing = startProcessing(
    world.now(),
    config.processingMs,
    call.processing,
    failed('internal'),
    async () => {
      const reason = await work(post);
      return reason === null ? null : failed(reason);
    },
    world.touched,
  );
  world.touched();
}

export const isPublic = (post: Post) => post.details['privacy_level'] === 'PUBLIC_TO_EVERYONE';
