import { CreatePostRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { outboxEmpty } from '../../outbox-empty.ts';
import type { BenchPlatform } from '../../platform.ts';

/** The tenant of a post, its targets, and its time. */
export interface Wanted {
  readonly organizationId: string;
  readonly businessId: string;
  readonly platform: string;
  readonly dueAt: Date;
}

const CONCURRENCY = 32;

/**
 * Schedules posts with content's own contract: through the gateway it would take several times as long.
 * @returns their captions, which are unique
 * @throws Error if the first of them was due before the last one was created
 */
export async function schedulePosts({ operator, contentAdminUrl }: BenchPlatform, wanted: readonly Wanted[]): Promise<string[]> {
  const captions: string[] = [];
  const left = [...wanted.entries()];
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [at, { organizationId, businessId, platform, dueAt }] = next;
      const postId = newId();
      const caption = (captions[at] = `Bench ${postId}`);
      const when = { status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: dueAt };
      await operator.content.createPost(
        CreatePostRequest.fromPartial({ operationId: newId(), postId, caption, ...when, restrictPublishTo: [platform] }),
        operator.as({ organizationId, businessId }),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  await outboxEmpty(contentAdminUrl);
  const first = Math.min(...wanted.map(({ dueAt }) => dueAt.getTime()));
  if (Date.now() > first) throw new Error(`${wanted.length} posts were not scheduled in time.`);
  return captions;
}

/** A whole second, far enough in the future to schedule so many posts before it. */
export const timeFor = (posts: number): Date => new Date(Math.ceil((Date.now() + LEAST_MS + posts * MS_PER_POST) / 1000) * 1000);

const LEAST_MS = 10_000;
const MS_PER_POST = 20;
