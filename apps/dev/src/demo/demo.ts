import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FormData } from '@fanfare/runtime/http-client';
import { createApi } from './api.ts';
import type { DevFile } from '../dev-file.ts';
import { workspaceRoot } from '../workspace.ts';

export interface PublishResult {
  readonly platform: string;
  readonly status: string;
  readonly post_url: string | null;
  readonly error_type: string | null;
  readonly error_message: string | null;
}

interface Platform {
  readonly name: string;
  readonly limits: { readonly images: { readonly max: number } };
  readonly needs_options: readonly string[];
}

interface Post {
  readonly id: string;
  readonly publish_results: readonly PublishResult[];
}

const builtInImage = path.join(workspaceRoot, 'apps/dev/assets/demo-cafe.jpg');
const POLL_MS = 100;
const LIMIT_MS = 90_000;

/**
 * The demo, with the public API only: uploads an image, creates a post with it, publishes it to the platforms that need no more than an image, and
 * waits for all results.
 * @param given replaces the built-in caption and image
 */
export async function publishDemo(
  platform: Pick<DevFile, 'base_url' | 'api_key' | 'business_id' | 'integrations'>,
  given: { caption: string | undefined; image: string | undefined },
  signal: AbortSignal,
): Promise<readonly PublishResult[]> {
  const api = createApi(platform.base_url, platform.api_key);
  const business = `/businesses/${platform.business_id}`;
  const image = given.image ?? builtInImage;

  const form = new FormData();
  // Not read into memory: a video may be gigabytes.
  form.set('file', await openAsBlob(image), path.basename(image));
  const media = await api<{ id: string }>('POST', `${business}/media`, form);
  const caption = given.caption ?? builtInCaption(new Date());
  const { items: platforms } = await api<{ items: Platform[] }>('GET', '/platforms');
  const takePictures = platforms.filter(({ name, limits }) => platform.integrations[name] !== undefined && limits.images.max > 0);
  const restrict_publish_to = takePictures.map(({ name }) => name);
  const platform_overrides = await Promise.all(
    takePictures.filter(({ needs_options }) => needs_options.length > 0).map(({ name, needs_options }) => chosen(name, needs_options)),
  );
  const post = await api<Post>('POST', `${business}/posts`, { caption, media_ids: [media.id], restrict_publish_to, platform_overrides });
  await api('POST', `${business}/posts/${post.id}/publish`);

  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const { publish_results: results } = await api<Post>('GET', `${business}/posts/${post.id}`);
    if (results.length > 0 && results.every(({ status }) => status === 'success' || status === 'failed')) return results;
    if (performance.now() > end) return results;
    await wait(POLL_MS, undefined, { signal });
  }

  /** For an option that a platform requires, the first choice of the account is used. */
  async function chosen(name: string, needed: readonly string[]) {
    const choices = `${business}/integrations/${platform.integrations[name]}/choices`;
    const options = needed.map(async (option) => {
      const { items } = await api<{ items: { value: string }[] }>('GET', `${choices}/${option}`);
      return [option, items[0]?.value] as const;
    });
    return { platform: name, options: Object.fromEntries(await Promise.all(options)) };
  }
}

/** One line per platform. */
export function resultTable(results: readonly PublishResult[]): string {
  const width = Math.max(...results.map(({ platform }) => platform.length));
  const rows = results.map(({ platform, status, post_url, error_type, error_message }) => {
    const outcome = status === 'failed' ? `${error_type}: ${error_message}` : (post_url ?? '');
    return `  ${platform.padEnd(width)}  ${status.padEnd(10)}  ${outcome}`.trimEnd();
  });
  return rows.join('\n');
}

/** Never the same twice: X rejects a post that repeats an earlier one. */
function builtInCaption(at: Date): string {
  const [time] = at.toTimeString().split(' ');
  return `Good morning from Demo Café ☕ The first cup is ready, and the croissants are still warm. (${at.toDateString()}, ${time})`;
}
