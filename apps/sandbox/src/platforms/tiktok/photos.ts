import { inspectImage } from '../../media/inspect.ts';
import { pull } from '../../media/pull.ts';
import type { Call } from '../../wire/call.ts';
import { keepMedia, type Media } from '../../world/media.ts';
import type { Sandbox } from '../platform.ts';
import { limits } from './limits.ts';
import { publishTask } from './post.ts';
import type { Task } from './state.ts';

/** Photos are fetched in the background: problems appear in the task's status. */
export function startPhotos(call: Call, sandbox: Sandbox, task: Task, urls: readonly string[]): void {
  publishTask(call, sandbox, task, urls.length > 1 ? 'carousel' : 'photo', async (post) => {
    for (const url of urls) {
      const photo = await fetchPhoto(sandbox, url);
      if ('reason' in photo) return photo.reason;
      post.media_ids.push(photo.id);
    }
    return null;
  });
}

async function fetchPhoto({ world }: Sandbox, url: string): Promise<Media | { reason: string }> {
  const got = await pull(url, limits.photoBytes);
  if (!got.ok) return { reason: 'photo_pull_failed' };
  if (got.bytes.length > limits.photoBytes) return { reason: 'picture_size_check_failed' };
  const image = await inspectImage(got.bytes);
  const types: readonly string[] = limits.photoTypes;
  if (!image || !types.includes(image.contentType) || image.contentType !== got.contentType) return { reason: 'file_format_check_failed' };
  if (image.width * image.height > limits.photoPixels) return { reason: 'picture_size_check_failed' };
  return keepMedia(world, got.bytes, image, url);
}
